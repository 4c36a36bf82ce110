// Lets a user-mode Linux guest run where processors have more registers than it knows.
//
// The guest saves and loads the extended registers of its processes with ptrace, in a buffer made for the processors of
// its day. A newer machine refuses to load a buffer that does not hold every register it has. Loaded before the guest
// (LD_PRELOAD), this hands the kernel a whole buffer: what the guest knows from the guest, the rest in its initial state.
#define _GNU_SOURCE
#include <errno.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
  XSTATE = 0x202,   // NT_X86_XSTATE
  ROOM = 65536,     // more than any processor has
  HEADER = 512,     // where the buffer says which parts it holds
  KNOWN_PARTS = 0xff  // those the guest can hold: up to AVX-512
};

static unsigned char whole[ROOM] __attribute__((aligned(64)));

static long registers(int store, long pid, struct iovec *theirs) {
  struct iovec ours = {whole, ROOM};
  if (syscall(SYS_ptrace, PTRACE_GETREGSET, pid, XSTATE, &ours) < 0) {
    return -1;
  }
  size_t size = theirs->iov_len < ours.iov_len ? theirs->iov_len : ours.iov_len;
  if (!store) {
    memcpy(theirs->iov_base, whole, size);
    theirs->iov_len = size;
    return 0;
  }
  unsigned long parts;
  memcpy(whole, theirs->iov_base, size);
  memcpy(&parts, whole + HEADER, sizeof parts);
  parts &= KNOWN_PARTS;
  memcpy(whole + HEADER, &parts, sizeof parts);
  return syscall(SYS_ptrace, PTRACE_SETREGSET, pid, XSTATE, &ours);
}

long ptrace(enum __ptrace_request request, ...) {
  va_list arguments;
  va_start(arguments, request);
  long pid = va_arg(arguments, long);
  void *address = va_arg(arguments, void *);
  void *data = va_arg(arguments, void *);
  va_end(arguments);
  if ((request == PTRACE_GETREGSET || request == PTRACE_SETREGSET) && (long)address == XSTATE) {
    return registers(request == PTRACE_SETREGSET, pid, data);
  }
  // The system call stores what it peeks; the C function returns it.
  if (request == PTRACE_PEEKTEXT || request == PTRACE_PEEKDATA || request == PTRACE_PEEKUSER) {
    long peeked = 0;
    long result = syscall(SYS_ptrace, request, pid, address, &peeked);
    if (result < 0) {
      return result;
    }
    errno = 0;
    return peeked;
  }
  return syscall(SYS_ptrace, request, pid, address, data);
}
