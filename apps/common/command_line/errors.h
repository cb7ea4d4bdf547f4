// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#pragma once

#include <pcl/exceptions.h>
#include <pcl/gpu/containers/device_exception.h>

#include <functional>
#include <stdexcept>
#include <string>

namespace pcl::gpu::apps {

/** \brief Error in the user's input: a file, an option or their combination.
 *
 * The message is one line: the problem, the file, the expectation. Exit code 2.
 */
class InputError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

/** \brief Error in one of several inputs that do not depend on each other. */
class UnitError : public InputError {
public:
  using InputError::InputError;
};

/** \brief Exit codes of every program. */
enum ExitCode { Success = 0, RuntimeFailure = 1, BadInput = 2 };

/** \brief Returns the error about one file: "<file>: <problem>: expected
 * <expectation>".
 * \param[in] file the file's name
 * \param[in] problem the problem, in words
 * \param[in] expectation the right contents, in words; empty leaves the last part out
 */
InputError
fileError(const std::string& file,
          const std::string& problem,
          const std::string& expectation = "");

/** \brief Checks that a file that the user named exists and is no folder.
 * \param[in] file the file's name
 * \param[in] expectation the right contents, in words
 * \throws InputError otherwise
 */
void
checkInputFile(const std::string& file, const std::string& expectation);

/** \brief Checks the value of an option.
 * \param[in] valid false throws
 * \param[in] option the option, with its value if that helps
 * \param[in] expectation the values that it may have, in words
 * \throws InputError "<option>: expected <expectation>"
 */
void
checkOption(bool valid, const std::string& option, const std::string& expectation);

/** \brief Reads a file that the user named.
 * \param[in] read reads the file; throws pcl::IOException if it cannot be used
 * \return the result of \a read
 * \throws InputError instead of pcl::IOException
 */
template <typename Read>
auto
asInput(const Read& read)
{
  try {
    return read();
  }
  catch (const IOException& error) {
    throw InputError(plainMessage(error));
  }
}

/** \brief Reads or uses one of several inputs that do not depend on each other.
 * \param[in] use throws InputError if it cannot be used
 * \return the result of \a use
 * \throws UnitError instead of InputError
 */
template <typename Use>
auto
asUnitInput(const Use& use)
{
  try {
    return use();
  }
  catch (const InputError& error) {
    throw UnitError(error.what());
  }
}

/** \brief Uses the value of an option.
 * \param[in] option its name
 * \param[in] use throws pcl::BadArgumentException if the value cannot be used
 * \throws InputError instead, which also names the option
 */
template <typename Use>
void
asOption(const std::string& option, const Use& use)
{
  try {
    use();
  }
  catch (const BadArgumentException& error) {
    throw InputError(option + ": " + plainMessage(error));
  }
}

/** \brief Prints a note about input to the console's errors, in one line.
 * \param[in] text "<file>: <the way in which the program takes it>"
 */
void
printNote(const std::string& text);

/** \brief Runs a program's body. Turns its exceptions into one line and an exit code.
 *
 * Also silences the messages of PCL and VTK, so that this line is the only one.
 * \param[in] program the name that the line starts with
 * \param[in] body the program; returns its exit code
 * \return the body's result, BadInput after InputError and pcl::BadArgumentException,
 * RuntimeFailure after anything else
 */
int
runProgram(const std::string& program, const std::function<int()>& body);

} // namespace pcl::gpu::apps
