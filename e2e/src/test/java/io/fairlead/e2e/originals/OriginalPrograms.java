package io.fairlead.e2e.originals;

import static org.awaitility.Awaitility.await;

import io.fairlead.e2e.ApiCaller;
import io.fairlead.e2e.TestServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/// Programs of Kubernetes and CoreDNS as processes of a test, each with a log in a directory.
/// `FAIRLEAD_ORIGINALS` names the directory whose `bin` they are in; a test is skipped where one is
/// missing.
public final class OriginalPrograms implements AutoCloseable {
  static final String TOKEN = "secret";

  /// Those of the users that kubeadm makes for its components.
  static final String MANAGER_TOKEN = "manager";

  static final String SCHEDULER_TOKEN = "scheduler";
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Path directory;
  private final List<Process> processes = new ArrayList<>();

  OriginalPrograms(Path directory) {
    this.directory = directory;
  }

  /// One of the originals, or the test is skipped.
  public static String require(String name) {
    String home =
        System.getenv()
            .getOrDefault(
                "FAIRLEAD_ORIGINALS",
                System.getenv().getOrDefault("TMPDIR", "/tmp") + "/fairlead-originals");
    Path program = Path.of(home, "bin", name);
    Assumptions.assumeTrue(
        Files.isExecutable(program), name + " of Kubernetes is not there: " + program);
    return program.toString();
  }

  private static String etcd() {
    boolean installed =
        Stream.of(System.getenv("PATH").split(":"))
            .anyMatch(each -> Files.isExecutable(Path.of(each, "etcd")));
    Assumptions.assumeTrue(
        installed, "etcd is not installed: `apt-get install etcd-server` makes this test run");
    return "etcd";
  }

  /// Starts a program; its log is `NAME.log`.
  Process start(String name, List<String> command) throws IOException {
    return start(name, Map.of(), command);
  }

  Process start(String name, Map<String, String> environment, List<String> command)
      throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve(name + ".log").toFile());
    builder.environment().remove("KUBECONFIG");
    builder.environment().put("HOME", directory.toString());
    builder.environment().putAll(environment);
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  /// Starts an etcd and returns its URL.
  String startEtcd() throws IOException {
    String url = "http://127.0.0.1:" + freePort();
    String peer = "http://127.0.0.1:" + freePort();
    Process _ =
        start(
            "etcd",
            List.of(
                etcd(),
                "--data-dir=" + directory.resolve("etcd"),
                "--listen-client-urls=" + url,
                "--advertise-client-urls=" + url,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=default=" + peer,
                "--log-level=error"));
    int port = URI.create(url).getPort();
    await().atMost(PATIENCE).until(() -> accepts(port));
    return url;
  }

  /// Starts a kube-apiserver and returns its URL when it is ready. [#TOKEN] may do everything.
  ///
  /// @param key signs its tokens
  URI startApiServer(String name, String etcd, Path key, List<String> more) throws IOException {
    String program = require("kube-apiserver");
    int port = freePort();
    Path tokens =
        Files.writeString(
            directory.resolve("tokens.csv"),
            String.join(
                "\n",
                TOKEN + ",admin,admin-uid,system:masters",
                MANAGER_TOKEN + ",system:kube-controller-manager,manager-uid",
                SCHEDULER_TOKEN + ",system:kube-scheduler,scheduler-uid",
                ""));
    List<String> command =
        new ArrayList<>(
            List.of(
                program,
                "--etcd-servers=" + etcd,
                "--secure-port=" + port,
                "--bind-address=127.0.0.1",
                "--cert-dir=" + directory.resolve(name + "-certificates"),
                "--service-cluster-ip-range=10.96.0.0/12",
                "--token-auth-file=" + tokens,
                "--authorization-mode=Node,RBAC",
                "--service-account-issuer=https://kubernetes.default.svc",
                "--service-account-key-file=" + key,
                "--service-account-signing-key-file=" + key));
    command.addAll(more);
    Process process = start(name, command);
    URI url = URI.create("https://127.0.0.1:" + port);
    ApiCaller caller = new ApiCaller(TestServer.http(), url, TOKEN);
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .failFast(
            () -> {
              if (!process.isAlive()) {
                throw new IllegalStateException(name + " has ended: " + log(name));
              }
            })
        .until(() -> caller.send("GET", "/readyz", "application/json", "").statusCode() == 200);
    return url;
  }

  /// What a program has logged.
  String log(String name) {
    try {
      return Files.readString(directory.resolve(name + ".log"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Ends a program, in order.
  static void stop(Process process) {
    process.destroy();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// The program that was started last.
  Process newest() {
    return processes.getLast();
  }

  static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  /// The address at the end of the answer to a question for one.
  static String resolve(int port, String name) throws IOException {
    ByteBuffer question = ByteBuffer.allocate(512);
    question.putShort((short) 7).putShort((short) 0x0100).putShort((short) 1);
    question.putShort((short) 0).putInt(0);
    for (String label : name.split("\\.", -1)) {
      question.put((byte) label.length()).put(label.getBytes(StandardCharsets.US_ASCII));
    }
    question.put((byte) 0).putShort((short) 1).putShort((short) 1);
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.setSoTimeout(5_000);
      socket.connect(InetAddress.getLoopbackAddress(), port);
      socket.send(new DatagramPacket(question.array(), question.position()));
      DatagramPacket answer = new DatagramPacket(new byte[512], 512);
      socket.receive(answer);
      byte[] last =
          Arrays.copyOfRange(answer.getData(), answer.getLength() - 4, answer.getLength());
      return InetAddress.getByAddress(last).getHostAddress();
    }
  }

  private static boolean accepts(int port) {
    try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public void close() {
    processes.reversed().forEach(OriginalPrograms::stop);
  }
}
