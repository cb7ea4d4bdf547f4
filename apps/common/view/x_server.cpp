// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

#include "x_server.h"

#include <X11/Xlib.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace pcl::gpu::apps {

namespace {

// Runs in the child between fork and exec: makes only calls that a signal handler may
// make.
[[noreturn]] void
becomeServer(int display_pipe, const char* pipe_number)
{
  // The server ends with the program, however that ends. Ctrl-C on the terminal goes to
  // the program only.
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  setpgid(0, 0);
  fcntl(display_pipe, F_SETFD, 0);
  const int nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, STDIN_FILENO);
  dup2(nowhere, STDOUT_FILENO);
  dup2(nowhere, STDERR_FILENO);
  execlp("Xvfb",
         "Xvfb",
         "-displayfd",
         pipe_number,
         "-screen",
         "0",
         "1280x1024x24",
         "-nolisten",
         "tcp",
         static_cast<char*>(nullptr));
  _exit(127);
}

// Returns the number of the server's display, which it writes once it is ready; empty
// if it never does.
std::string
readDisplayNumber(int display_pipe)
{
  std::string number;
  pollfd ready{display_pipe, POLLIN, 0};
  constexpr int patience_ms = 20000;
  while (poll(&ready, 1, patience_ms) > 0) {
    char c = 0;
    if (read(display_pipe, &c, 1) != 1)
      return "";
    if (c == '\n')
      return number;
    number += c;
  }
  return "";
}

} // namespace

XServer::XServer(const char* purpose)
{
  if (isRunning())
    return;
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0)
    throw std::runtime_error("cannot create a pipe");
  const std::string pipe_number = std::to_string(pipe_ends[1]);
  child_ = fork();
  if (child_ == 0)
    becomeServer(pipe_ends[1], pipe_number.c_str());
  close(pipe_ends[1]);
  const std::string number = child_ > 0 ? readDisplayNumber(pipe_ends[0]) : "";
  close(pipe_ends[0]);
  if (!number.empty()) {
    setenv("DISPLAY", (":" + number).c_str(), 1);
    unsetenv("XAUTHORITY");
    if (isRunning())
      return;
  }

  bool missing = false;
  if (child_ > 0) {
    kill(child_, SIGTERM);
    int status = 0;
    waitpid(child_, &status, 0);
    missing = WIFEXITED(status) && WEXITSTATUS(status) == 127;
  }
  throw std::runtime_error(std::string(purpose) +
                           (missing ? ": there is neither a display nor Xvfb: expected "
                                      "the package xvfb, apt-get install xvfb"
                                    : ": Xvfb does not start"));
}

XServer::~XServer()
{
  if (child_ <= 0)
    return;
  kill(child_, SIGTERM);
  waitpid(child_, nullptr, 0);
}

bool
XServer::isRunning()
{
  if (!std::getenv("DISPLAY"))
    return false;
  Display* display = XOpenDisplay(nullptr);
  if (display)
    XCloseDisplay(display);
  return display != nullptr;
}

} // namespace pcl::gpu::apps
