package io.fairlead.dns.forward;

import io.fairlead.api.net.IpAddress;
import io.fairlead.client.tls.TlsContexts;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.DatagramChannel;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// Opens connections. Every UDP socket gets a local port of the kernel's choice.
final class Dialer {
  private final ForwardOptions options;

  Dialer(ForwardOptions options) {
    this.options = options;
  }

  UpstreamConnection open(UpstreamAddress target, boolean stream, Duration time)
      throws IOException {
    InetSocketAddress local = local(options.connections().source());
    return switch (target.protocol()) {
      case TLS -> new UpstreamStreamConnection(tls(target, time, local));
      case DNS ->
          stream
              ? new UpstreamStreamConnection(tcp(target, time, local))
              : new UpstreamDatagramConnection(udp(target, local));
      case HTTPS -> throw new IOException("HTTPS has connections of its own");
    };
  }

  private static @Nullable InetSocketAddress local(@Nullable IpAddress source) throws IOException {
    return source == null
        ? null
        : new InetSocketAddress(InetAddress.getByAddress(source.toBytes()), 0);
  }

  private static DatagramSocket udp(UpstreamAddress target, @Nullable InetSocketAddress local)
      throws IOException {
    DatagramChannel channel = DatagramChannel.open();
    try {
      if (local != null) {
        channel.bind(local);
      }
      channel.connect(target.socketAddress());
      return channel.socket();
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  private static Socket tcp(
      UpstreamAddress target, Duration time, @Nullable InetSocketAddress local) throws IOException {
    Socket socket = new Socket();
    try {
      socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
      if (local != null) {
        socket.bind(local);
      }
      socket.connect(target.socketAddress(), (int) Math.max(1, time.toMillis()));
      return socket;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private Socket tls(UpstreamAddress target, Duration time, @Nullable InetSocketAddress local)
      throws IOException {
    ForwardOptions.Tls tls = options.tls();
    String name = target.serverName() == null ? tls.serverName() : target.serverName();
    Socket plain = tcp(target, time, local);
    try {
      SSLContext context = TlsContexts.of(tls.trust(), tls.identity());
      String shown = name == null ? target.address().toString() : name;
      SSLSocket socket =
          (SSLSocket) context.getSocketFactory().createSocket(plain, shown, target.port(), true);
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      if (name != null) {
        parameters.setServerNames(List.of(new SNIHostName(name)));
      }
      socket.setSSLParameters(parameters);
      socket.setSoTimeout((int) Math.max(1, time.toMillis()));
      socket.startHandshake();
      return socket;
    } catch (GeneralSecurityException e) {
      plain.close();
      throw new IOException("cannot set up TLS to " + target, e);
    } catch (IOException e) {
      plain.close();
      throw e;
    }
  }
}
