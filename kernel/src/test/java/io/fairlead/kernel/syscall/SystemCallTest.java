package io.fairlead.kernel.syscall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SystemCallTest {
  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "1, EPERM",
    "2, ENOENT",
    "11, EAGAIN",
    "17, EEXIST",
    "22, EINVAL",
    "34, ERANGE",
    "42, ENOMSG",
    "95, EOPNOTSUPP",
    "105, ENOBUFS",
    "133, EHWPOISON",
    "41, errno 41",
    "999, errno 999"
  })
  void numbersHaveTheNamesOfTheHeader(int number, String name) {
    assertThat(new Errno(number).name()).isEqualTo(name);
  }

  @Test
  void aRefusedCallNamesObjectCallAndErrno() {
    assertThatThrownBy(() -> FileCalls.open(Path.of("/nowhere/at/all")))
        .isInstanceOfSatisfying(SystemCallException.class, e -> assertThat(e.isNotFound()).isTrue())
        .hasMessage("/nowhere/at/all: open: ENOENT");
    assertThatThrownBy(() -> Sockets.open("no such family", 9999, Sockets.SOCK_RAW, 0))
        .hasMessage("no such family: socket: EAFNOSUPPORT");
    assertThatThrownBy(() -> FileCalls.unmount(Path.of("/proc/self/nothing"), 0))
        .hasMessageContaining("umount2: E");
  }

  @Test
  void aSignalledEventWakesAWaiter() {
    try (NativeFileDescriptor never = FileCalls.event("never");
        NativeFileDescriptor stop = FileCalls.event("stop")) {
      assertThat(FileCalls.awaitReadable(never, stop, 0)).isFalse();
      FileCalls.signal(stop);
      assertThat(FileCalls.awaitReadable(never, stop, -1)).isFalse();
      assertThat(FileCalls.awaitReadable(stop, never, -1)).isTrue();
    }
  }

  @Test
  void aVirtualThreadMayNotChangeItsNamespace() throws InterruptedException {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                NamespaceCalls.unshare("virtual", NamespaceCalls.CLONE_NEWNET);
              } catch (IllegalStateException e) {
                thrown.set(e);
              }
            })
        .join();
    assertThat(thrown.get()).hasMessageContaining("virtual thread");
  }

  @Test
  void closingTwiceIsFine() {
    NativeFileDescriptor event = FileCalls.event("closed");
    event.close();
    event.close();
    assertThat(event.toString()).startsWith("closed (descriptor ");
  }
}
