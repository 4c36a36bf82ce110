package io.fairlead.app.instance;

import io.fairlead.api.net.IpAddress;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Who listens where on this machine.
public final class Ports {
  private static final String LISTEN = "0A"; // TCP_LISTEN, include/net/tcp_states.h
  private static final int CONNECT_MILLIS = 500;

  private Ports() {}

  /// Whether a server could listen there now.
  public static boolean free(String address, int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getByName(address), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Whether an address is one of this machine, or stands for all of them.
  public static boolean isOfThisMachine(String address) {
    return free(address, 0);
  }

  /// The addresses of this machine, loopback first, without those of one link alone.
  public static List<String> addresses() {
    try {
      return NetworkInterface.networkInterfaces()
          .sorted(Comparator.comparingInt(NetworkInterface::getIndex))
          .flatMap(NetworkInterface::inetAddresses)
          .filter(address -> !address.isLinkLocalAddress())
          .map(address -> IpAddress.ofBytes(address.getAddress()).toString())
          .toList();
    } catch (SocketException e) {
      return List.of();
    }
  }

  /// Whether something accepts connections there.
  public static boolean answers(String address, int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getByName(address), port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// The next port above that is free; 0 when none of the next hundred is.
  public static int freeAbove(String address, int port) {
    for (int next = port + 1; next <= Math.min(port + 100, 65_535); next++) {
      if (free(address, next)) {
        return next;
      }
    }
    return 0;
  }

  /// The program that listens on a port, such as `haproxy (pid 812)`. Empty when none does or its
  /// owner is hidden from this user.
  public static Optional<String> holder(int port) {
    List<String> sockets = new ArrayList<>();
    for (String table : List.of("/proc/net/tcp", "/proc/net/tcp6")) {
      sockets.addAll(listening(Path.of(table), port));
    }
    if (sockets.isEmpty()) {
      return Optional.empty();
    }
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : processes) {
        if (holds(process, sockets)) {
          long pid = Long.parseLong(String.valueOf(process.getFileName()));
          return Optional.of(ProcessFacts.name(pid) + " (pid " + pid + ")");
        }
      }
    } catch (IOException e) {
      return Optional.empty();
    }
    return Optional.empty();
  }

  /// Socket links as they appear under `/proc/PID/fd`.
  private static List<String> listening(Path table, int port) {
    String suffix = String.format(Locale.ROOT, ":%04X", port);
    try {
      return Files.readAllLines(table, StandardCharsets.ISO_8859_1).stream()
          .map(line -> line.strip().split("\\s+"))
          .filter(fields -> fields.length > 9 && fields[1].endsWith(suffix))
          .filter(fields -> fields[3].equals(LISTEN))
          .map(fields -> "socket:[" + fields[9] + "]")
          .toList();
    } catch (IOException e) {
      return List.of();
    }
  }

  private static boolean holds(Path process, List<String> sockets) {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path file : files) {
        if (sockets.contains(linkOf(file))) {
          return true;
        }
      }
    } catch (IOException | java.nio.file.DirectoryIteratorException e) {
      return false; // Gone meanwhile, or another user's.
    }
    return false;
  }

  private static String linkOf(Path file) {
    try {
      return Files.readSymbolicLink(file).toString();
    } catch (IOException e) {
      return "";
    }
  }
}
