package io.fairlead.agent.network;

import static io.fairlead.agent.MemoryCluster.PATIENCE;
import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.agent.testing.TestNode;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// Several nodes in one program.
@Tag("system")
class HostNamespaceTest {
  private static final int NODES = 3;
  private static final int PORT = 7000;
  private static final Path SETTING = Path.of("/proc/sys/net/ipv4/ip_default_ttl");

  private final List<NetworkNamespace> machines = new ArrayList<>();
  private final List<ServerSocket> servers = new ArrayList<>();

  @AfterEach
  void remove() throws IOException {
    for (ServerSocket server : servers) {
      server.close();
    }
    machines.forEach(NetworkNamespace::delete);
  }

  /// What a task saw that ran inside a node.
  ///
  /// @param server listens there
  /// @param thread the network of his thread
  /// @param process that of a program he started
  private record Work(ServerSocket server, String thread, String process) {}

  private static String ofThisThread() {
    try {
      return Files.readSymbolicLink(Path.of("/proc/thread-self/ns/net")).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Work work(int number) throws IOException {
    ServerSocket server = new ServerSocket(PORT);
    Files.writeString(SETTING, Integer.toString(100 + number));
    Process program = new ProcessBuilder("readlink", "/proc/self/ns/net").start();
    String said = new String(program.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    return new Work(server, ofThisThread(), said.strip());
  }

  @Test
  void n78ThreeNodesInOneProgramDoNotMix() throws Exception {
    String own = ofThisThread();
    String before = Files.readString(SETTING);
    List<Work> done = new ArrayList<>();
    CyclicBarrier together = new CyclicBarrier(NODES);
    try (var workers = Executors.newFixedThreadPool(NODES)) {
      List<Future<Work>> running = new ArrayList<>();
      for (int i = 0; i < NODES; i++) {
        NetworkNamespace machine = TestNode.machine("n78");
        machines.add(machine);
        int number = i;
        running.add(
            workers.submit(
                () -> {
                  together.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
                  return HostNamespace.of(machine).call(() -> work(number));
                }));
      }
      for (Future<Work> one : running) {
        done.add(one.get());
        servers.add(done.getLast().server());
      }
    }
    for (int i = 0; i < NODES; i++) {
      NetworkNamespace machine = machines.get(i);
      String there = inside(machine, "readlink", "/proc/self/ns/net");
      assertThat(done.get(i).thread()).as("the thread").isEqualTo(there).isNotEqualTo(own);
      assertThat(done.get(i).process()).as("a program it started").isEqualTo(there);
      assertThat(inside(machine, "cat", SETTING.toString()))
          .as("a setting")
          .isEqualTo(Integer.toString(100 + i));
      assertThat(whoAnswers(machine)).as("a socket, all at one port").isEqualTo(i);
    }
    assertThat(ofThisThread()).isEqualTo(own);
    assertThat(Files.readString(SETTING)).isEqualTo(before);
    assertThat(ofVirtualThreads()).as("no thread of a pool stayed inside").containsExactly(own);
  }

  private static String inside(NetworkNamespace machine, String... command) {
    return CommandRunner.inside(machine, PATIENCE).run("", List.of(command)).output().strip();
  }

  /// Which of the servers a client inside a machine is connected to.
  private int whoAnswers(NetworkNamespace machine) throws Exception {
    try (Socket _ = machine.call(() -> new Socket("127.0.0.1", PORT))) {
      for (int i = 0; i < NODES; i++) {
        servers.get(i).setSoTimeout(i == machines.indexOf(machine) ? 60_000 : 1);
        try (Socket _ = servers.get(i).accept()) {
          return i;
        } catch (java.net.SocketTimeoutException _) {
          // Not that one.
        }
      }
    }
    return -1;
  }

  private static Set<String> ofVirtualThreads() throws InterruptedException {
    Set<String> seen = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      threads.add(Thread.ofVirtual().start(() -> seen.add(ofThisThread())));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return seen;
  }
}
