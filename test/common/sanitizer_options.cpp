// SPDX-License-Identifier: BSD-3-Clause
// Copyright (c) 2026, PCL GPU Perception developers

// Tests ask for more memory than there is. Under AddressSanitizer such an allocation
// must fail, as it does elsewhere, and not end the program.
extern "C" const char*
__asan_default_options();

extern "C" const char*
__asan_default_options()
{
  return "allocator_may_return_null=1";
}

// Clang's OpenMP keeps some memory of its threads.
extern "C" const char*
__lsan_default_suppressions();

extern "C" const char*
__lsan_default_suppressions()
{
  return "leak:libomp.so";
}
