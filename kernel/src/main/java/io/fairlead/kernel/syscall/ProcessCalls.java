package io.fairlead.kernel.syscall;

import static io.fairlead.kernel.syscall.NativeFunctionLinker.INT;
import static io.fairlead.kernel.syscall.NativeFunctionLinker.LONG;
import static io.fairlead.kernel.syscall.NativeFunctionLinker.POINTER;

import java.io.File;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.List;

/// Calls about processes and what the calling **thread** may hand to them.
///
/// All handles are linked when the class is: a thread that has entered other mounts cannot load
/// classes any more.
final class ProcessCalls {
  static final int SIGTERM = 15;
  static final int SIGKILL = 9;

  private static final int PR_CAPBSET_DROP = 24; // prctl.h
  private static final int PR_SET_NO_NEW_PRIVS = 38;
  private static final int PR_CAP_AMBIENT = 47;
  private static final long PR_CAP_AMBIENT_CLEAR_ALL = 4;
  private static final int CAPABILITY_VERSION_3 = 0x20080522; // capability.h
  private static final int LAST_CAPABILITY = 63;

  private static final short POSIX_SPAWN_SETSIGDEF = 0x04; // spawn.h
  private static final short POSIX_SPAWN_SETSIGMASK = 0x08;
  private static final short POSIX_SPAWN_SETSID = 0x80;
  // Larger than posix_spawnattr_t, posix_spawn_file_actions_t and sigset_t of any C library.
  private static final int OPAQUE_SIZE = 512;

  private static final int F_SETFD = 2; // fcntl.h
  private static final int FD_CLOEXEC = 1;
  private static final int P_PID = 1; // wait.h
  private static final int WEXITED = 4;
  private static final int WNOWAIT = 0x01000000;
  private static final int CLD_EXITED = 1;
  private static final int SIGNAL_EXIT = 128;

  private static final MethodHandle CONTROL =
      NativeFunctionLinker.variadic(
          "prctl", FunctionDescriptor.of(INT, INT, LONG, LONG, LONG, LONG), 1);
  private static final MethodHandle GET_CAPABILITIES = two("capget");
  private static final MethodHandle SET_CAPABILITIES = two("capset");
  private static final MethodHandle INIT_ATTRIBUTES = one("posix_spawnattr_init");
  private static final MethodHandle SET_FLAGS =
      NativeFunctionLinker.function(
          "posix_spawnattr_setflags", FunctionDescriptor.of(INT, POINTER, ValueLayout.JAVA_SHORT));
  private static final MethodHandle SET_MASK = two("posix_spawnattr_setsigmask");
  private static final MethodHandle SET_DEFAULTS = two("posix_spawnattr_setsigdefault");
  private static final MethodHandle FREE_ATTRIBUTES = one("posix_spawnattr_destroy");
  private static final MethodHandle INIT_ACTIONS = one("posix_spawn_file_actions_init");
  private static final MethodHandle ADD_DUPLICATE =
      NativeFunctionLinker.function(
          "posix_spawn_file_actions_adddup2", FunctionDescriptor.of(INT, POINTER, INT, INT));
  private static final MethodHandle FREE_ACTIONS = one("posix_spawn_file_actions_destroy");
  private static final MethodHandle NO_SIGNALS = one("sigemptyset");
  private static final MethodHandle ALL_SIGNALS = one("sigfillset");
  private static final MethodHandle SPAWN =
      NativeFunctionLinker.function(
          "posix_spawn",
          FunctionDescriptor.of(INT, POINTER, POINTER, POINTER, POINTER, POINTER, POINTER));
  private static final MethodHandle WAIT =
      NativeFunctionLinker.function("waitid", FunctionDescriptor.of(INT, INT, INT, POINTER, INT));
  private static final MethodHandle KILL =
      NativeFunctionLinker.function("kill", FunctionDescriptor.of(INT, INT, INT));
  private static final MethodHandle FILE_CONTROL =
      NativeFunctionLinker.variadic("fcntl", FunctionDescriptor.of(INT, INT, INT, INT), 2);
  private static final MethodHandle PIPE =
      NativeFunctionLinker.function("pipe2", FunctionDescriptor.of(INT, POINTER, INT));

  private ProcessCalls() {}

  private static MethodHandle one(String name) {
    return NativeFunctionLinker.function(name, FunctionDescriptor.of(INT, POINTER));
  }

  private static MethodHandle two(String name) {
    return NativeFunctionLinker.function(name, FunctionDescriptor.of(INT, POINTER, POINTER));
  }

  /// From now on programs that this thread starts have no capability but these, and cannot gain
  /// any. The thread itself keeps what it has.
  ///
  /// @param capabilities a bit for each
  static void limitPrograms(long capabilities) {
    try (Arena arena = Arena.ofConfined()) {
      for (int each = 0; each <= LAST_CAPABILITY; each++) {
        if ((capabilities & 1L << each) == 0 && control(PR_CAPBSET_DROP, each, 0) < 0) {
          Errno why = NativeFunctionLinker.errno();
          if (!why.equals(Errno.EINVAL)) { // EINVAL: the kernel has no more
            throw new SystemCallException("capability " + each, "prctl", why);
          }
        }
      }
      // struct { u32 version; int pid; }, two of struct { u32 effective, permitted, inheritable; }
      MemorySegment header = arena.allocate(8, 4);
      header.set(ValueLayout.JAVA_INT, 0, CAPABILITY_VERSION_3);
      MemorySegment sets = arena.allocate(24, 4);
      checked("capget", (int) GET_CAPABILITIES.invokeExact(state(), header, sets));
      sets.set(ValueLayout.JAVA_INT, 8, 0);
      sets.set(ValueLayout.JAVA_INT, 20, 0);
      checked("capset", (int) SET_CAPABILITIES.invokeExact(state(), header, sets));
      checked("prctl", control(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0));
      checked("prctl", control(PR_SET_NO_NEW_PRIVS, 1, 0));
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// From now on programs that this thread starts inherit no descriptor. The thread must have a
  /// table of descriptors of its own.
  static void closeAllInPrograms() {
    String[] open = new File("/proc/thread-self/fd").list();
    if (open == null) {
      throw new SystemCallException("/proc/thread-self/fd", "readdir", Errno.ENOENT);
    }
    try {
      for (String each : open) {
        // The directory's own descriptor is closed by now: the error is fine.
        int result =
            (int) FILE_CONTROL.invokeExact(state(), Integer.parseInt(each), F_SETFD, FD_CLOEXEC);
        assert result <= 0;
      }
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  private static int control(int option, long first, long second) throws Throwable {
    return (int) CONTROL.invokeExact(state(), option, first, second, 0L, 0L);
  }

  /// What a program starts with.
  record Start(MemorySegment path, MemorySegment words, MemorySegment environment) {
    static Start of(Arena arena, List<String> command, List<String> environment) {
      return new Start(
          arena.allocateFrom(command.getFirst()),
          strings(arena, command),
          strings(arena, environment));
    }

    private static MemorySegment strings(Arena arena, List<String> texts) {
      MemorySegment all = arena.allocate(POINTER, texts.size() + 1L);
      for (int i = 0; i < texts.size(); i++) {
        all.setAtIndex(POINTER, i, arena.allocateFrom(texts.get(i)));
      }
      return all;
    }
  }

  /// Starts a program as the leader of a new session, with all signals as usual.
  ///
  /// @return its number
  static int spawn(Arena arena, Start start, int in, int out, int error) {
    try {
      MemorySegment attributes = arena.allocate(OPAQUE_SIZE, 16);
      MemorySegment actions = arena.allocate(OPAQUE_SIZE, 16);
      MemorySegment signals = arena.allocate(OPAQUE_SIZE, 16);
      MemorySegment number = arena.allocate(ValueLayout.JAVA_INT);
      failed("posix_spawnattr_init", (int) INIT_ATTRIBUTES.invokeExact(state(), attributes));
      failed("posix_spawn_file_actions_init", (int) INIT_ACTIONS.invokeExact(state(), actions));
      try {
        short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSID;
        failed("flags", (int) SET_FLAGS.invokeExact(state(), attributes, flags));
        checked("sigemptyset", (int) NO_SIGNALS.invokeExact(state(), signals));
        failed("signals", (int) SET_MASK.invokeExact(state(), attributes, signals));
        checked("sigfillset", (int) ALL_SIGNALS.invokeExact(state(), signals));
        failed("signals", (int) SET_DEFAULTS.invokeExact(state(), attributes, signals));
        failed("descriptors", (int) ADD_DUPLICATE.invokeExact(state(), actions, in, 0));
        failed("descriptors", (int) ADD_DUPLICATE.invokeExact(state(), actions, out, 1));
        failed("descriptors", (int) ADD_DUPLICATE.invokeExact(state(), actions, error, 2));
        failed(
            start.path().getString(0),
            (int)
                SPAWN.invokeExact(
                    state(),
                    number,
                    start.path(),
                    actions,
                    attributes,
                    start.words(),
                    start.environment()));
        return number.get(ValueLayout.JAVA_INT, 0);
      } finally {
        int ignored = (int) FREE_ATTRIBUTES.invokeExact(state(), attributes);
        ignored |= (int) FREE_ACTIONS.invokeExact(state(), actions);
        assert ignored == 0;
      }
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Waits until a child has ended.
  ///
  /// @param reap the kernel forgets it, and its number may soon be another's
  /// @return its exit code, or 128 and the signal that ended it
  static int await(int process, boolean reap) {
    try (Arena arena = Arena.ofConfined()) {
      // siginfo_t: int si_signo, si_errno, si_code, padding, si_pid, si_uid, si_status
      MemorySegment info = arena.allocate(128, 8);
      int options = reap ? WEXITED : WEXITED | WNOWAIT;
      int result = (int) WAIT.invokeExact(state(), P_PID, process, info, options);
      while (result < 0 && NativeFunctionLinker.errno().equals(Errno.EINTR)) {
        result = (int) WAIT.invokeExact(state(), P_PID, process, info, options);
      }
      checked("waitid", result);
      int status = info.get(ValueLayout.JAVA_INT, 24);
      return info.get(ValueLayout.JAVA_INT, 8) == CLD_EXITED ? status : SIGNAL_EXIT + status;
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Sends a signal to a child that was not reaped.
  static void kill(int process, int signal) {
    try {
      checked("kill", (int) KILL.invokeExact(state(), process, signal));
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  /// Two ends of a pipe: the first to read, the second to write.
  static List<NativeFileDescriptor> pipe(String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment ends = arena.allocate(8, 4);
      FileCalls.checked(name, "pipe2", (int) PIPE.invokeExact(state(), ends, FileCalls.O_CLOEXEC));
      return List.of(
          new NativeFileDescriptor(ends.get(ValueLayout.JAVA_INT, 0), name),
          new NativeFileDescriptor(ends.get(ValueLayout.JAVA_INT, 4), name));
    } catch (SystemCallException e) {
      throw e;
    } catch (Throwable e) {
      throw NativeFunctionLinker.impossible(e);
    }
  }

  private static MemorySegment state() {
    return NativeFunctionLinker.state();
  }

  private static void checked(String call, int result) {
    if (result < 0) {
      throw new SystemCallException("process", call, NativeFunctionLinker.errno());
    }
  }

  /// These functions return their error.
  private static void failed(String object, int result) {
    if (result != 0) {
      throw new SystemCallException(object, "posix_spawn", new Errno(result));
    }
  }
}
