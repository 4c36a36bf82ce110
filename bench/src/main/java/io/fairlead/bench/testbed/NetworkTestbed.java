package io.fairlead.bench.testbed;

import io.fairlead.api.net.Cidr;
import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.process.CommandRunner;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.work.Tasks;
import java.io.IOException;
import java.net.ConnectException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;

/// A client, a node and a pod with three addresses, as network namespaces. The pod takes every
/// connection to port 8080 and counts them by address.
public final class NetworkTestbed implements AutoCloseable {
  /// The pod's addresses.
  public static final List<IpAddress> PODS =
      List.of(
          IpAddress.parse("10.64.1.11"),
          IpAddress.parse("10.64.1.12"),
          IpAddress.parse("10.64.1.13"));

  /// The node's address.
  public static final IpAddress NODE = IpAddress.parse("192.0.2.10");

  /// The network the client is in.
  public static final Cidr CLIENTS = Cidr.parse("192.0.2.0/24");

  public static final int POD_PORT = 8080;

  private static final int TRY_MILLIS = 5;
  private static final int PATIENT_TRY_MILLIS = 500;
  private static final int CONNECT_MILLIS = 10_000;
  private static final long EAGER_NANOS = 1_000_000_000;
  private static final long WAIT_SHARE = 200;
  private static final long MOST_PAUSE_NANOS = 5_000_000;
  private static final double MICROS = 1e3;
  private static final int ECHO_BYTES = 64;
  private static final String PODS_FIRST = PODS.getFirst().toString();

  private final NetworkNamespace client;
  private final NetworkNamespace node;
  private final NetworkNamespace pod;
  private final ServerSocket server;
  private final DatagramSocket echo;
  private final AtomicLongArray taken = new AtomicLongArray(PODS.size());
  private final int tryMillis;

  public NetworkTestbed(String prefix) {
    this(prefix, TRY_MILLIS);
  }

  /// One on a machine so slow that a call may take a while to be answered.
  public static NetworkTestbed patient(String prefix) {
    return new NetworkTestbed(prefix, PATIENT_TRY_MILLIS);
  }

  private NetworkTestbed(String prefix, int tryMillis) {
    this.tryMillis = tryMillis;
    client = NetworkNamespace.create(prefix + "c");
    node = NetworkNamespace.create(prefix + "n");
    pod = NetworkNamespace.create(prefix + "p");
    String script =
        """
        set -e
        for each in %1$s %2$s %3$s; do ip -n $each link set lo up; done
        ip netns exec %2$s sysctl -q -w net.ipv4.ip_forward=1 net.ipv4.icmp_ratelimit=0
        ip link add cli netns %2$s type veth peer name eth0 netns %1$s
        ip link add pod netns %2$s type veth peer name eth0 netns %3$s
        ip -n %2$s addr add 192.0.2.10/24 dev cli
        ip -n %2$s addr add 10.64.1.1/24 dev pod
        ip -n %1$s addr add 192.0.2.1/24 dev eth0
        for last in 11 12 13; do ip -n %3$s addr add 10.64.1.$last/24 dev eth0; done
        ip -n %2$s link set cli up
        ip -n %2$s link set pod up
        ip -n %1$s link set eth0 up
        ip -n %3$s link set eth0 up
        ip -n %1$s route add default via 192.0.2.10
        ip -n %2$s route add default via 192.0.2.1
        ip -n %3$s route add default via 10.64.1.1
        """
            .formatted(client.name(), node.name(), pod.name());
    CommandRunner.Result result =
        CommandRunner.here(Duration.ofMinutes(1)).run(script, List.of("sh"));
    if (!result.succeeded()) {
      throw new IllegalStateException("cannot build the site: " + result.error());
    }
    server = pod.call(() -> new ServerSocket(POD_PORT, 4096));
    echo = pod.call(() -> new DatagramSocket(new InetSocketAddress(PODS_FIRST, POD_PORT)));
    Tasks.startPlatform("pod", this::serve);
    Tasks.startPlatform("pod-echo", this::echo);
  }

  public NetworkNamespace client() {
    return client;
  }

  public NetworkNamespace node() {
    return node;
  }

  private void serve() {
    while (!server.isClosed()) {
      try (Socket socket = server.accept()) {
        int pod = PODS.indexOf(IpAddress.ofBytes(socket.getLocalAddress().getAddress()));
        if (pod >= 0) {
          taken.incrementAndGet(pod);
        }
      } catch (IOException _) {
        // The client gave up, or the bench is over.
        continue;
      }
    }
  }

  /// Sends back what comes to the same port by UDP.
  private void echo() {
    byte[] buffer = new byte[ECHO_BYTES];
    while (!echo.isClosed()) {
      try {
        DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
        echo.receive(packet);
        echo.send(packet);
      } catch (IOException _) {
        // The bench is over.
        continue;
      }
    }
  }

  /// Sends a packet to a pod and waits for its answer, again and again on one connection.
  ///
  /// @return how long each took, in microseconds
  public double[] exchange(IpAddress address, int times) {
    return client.call(
        () -> {
          try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(CONNECT_MILLIS);
            socket.connect(
                new InetSocketAddress(InetAddress.getByAddress(address.toBytes()), POD_PORT));
            DatagramPacket packet = new DatagramPacket(new byte[1], 1);
            double[] took = new double[times];
            for (int i = 0; i < times; i++) {
              long start = System.nanoTime();
              socket.send(packet);
              socket.receive(packet);
              took[i] = (System.nanoTime() - start) / MICROS;
            }
            return took;
          }
        });
  }

  /// What became of a call.
  private enum Call {
    TAKEN,
    REFUSED,
    UNHEARD
  }

  /// Calls from the client until one is taken.
  ///
  /// @return the moment it was
  public long awaitTaken(String address, Duration limit) {
    return await(address, EnumSet.of(Call.TAKEN), 1, limit);
  }

  /// Calls from the client until five in a row were refused, as with no endpoint. A call that is
  /// not heard says nothing: a node that is busy with its rules may be late.
  ///
  /// @return the moment of the first of them
  public long awaitRefused(String address, Duration limit) {
    return await(address, EnumSet.of(Call.REFUSED), 5, limit);
  }

  /// Calls from the client until five in a row were not taken, as without a Service.
  ///
  /// @return the moment of the first of them
  public long awaitGone(String address, Duration limit) {
    return await(address, EnumSet.of(Call.REFUSED, Call.UNHEARD), 5, limit);
  }

  private long await(String address, Set<Call> wanted, int inARow, Duration limit) {
    return client.call(
        () -> {
          InetSocketAddress target = new InetSocketAddress(InetAddress.getByName(address), 80);
          long begin = System.nanoTime();
          long give = begin + limit.toNanos();
          int row = 0;
          long first = 0;
          while (System.nanoTime() < give) {
            if (wanted.contains(call(target))) {
              first = row++ == 0 ? System.nanoTime() : first;
              if (row == inARow) {
                return first;
              }
            } else {
              row = 0;
              leaveTheCore(System.nanoTime() - begin);
            }
          }
          throw new IllegalStateException(address + " did not become " + wanted);
        });
  }

  /// A proxy that takes seconds must not share its cores with the calls that wait for it: after one
  /// second they come ever more rarely.
  private static void leaveTheCore(long waited) {
    if (waited > EAGER_NANOS) {
      LockSupport.parkNanos(Math.min(waited / WAIT_SHARE, MOST_PAUSE_NANOS));
    }
  }

  /// How many connections each of the pod's addresses has taken.
  public long[] taken() {
    long[] counts = new long[PODS.size()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = taken.get(i);
    }
    return counts;
  }

  /// Connects from the client again and again.
  ///
  /// @return how long each took, in microseconds
  public double[] connect(IpAddress address, int port, int times) {
    return client.call(
        () -> {
          InetSocketAddress target =
              new InetSocketAddress(InetAddress.getByAddress(address.toBytes()), port);
          double[] took = new double[times];
          for (int i = 0; i < times; i++) {
            try (Socket socket = new Socket()) {
              socket.bind(null);
              // Closed without a time of waiting, for which there would not be ports enough.
              socket.setSoLinger(true, 0);
              long start = System.nanoTime();
              socket.connect(target, CONNECT_MILLIS);
              took[i] = (System.nanoTime() - start) / MICROS;
            }
          }
          return took;
        });
  }

  private Call call(InetSocketAddress target) {
    try (Socket socket = new Socket()) {
      socket.setReuseAddress(true);
      socket.connect(target, tryMillis);
      return Call.TAKEN;
    } catch (ConnectException _) {
      return Call.REFUSED;
    } catch (IOException _) {
      return Call.UNHEARD;
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      System.err.println("closing: " + e.getMessage());
    }
    echo.close();
    client.delete();
    node.delete();
    pod.delete();
  }
}
