package io.fairlead.store.etcd;

import io.fairlead.store.StoreException;
import io.fairlead.work.Tasks;
import io.grpc.ManagedChannel;
import io.grpc.netty.GrpcSslContexts;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.handler.ssl.SslContextBuilder;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;

/// One connection per endpoint. All calls use the same endpoint until it fails, then the next.
final class EtcdChannels implements AutoCloseable {
  private static final int DEFAULT_PORT = 2379;

  private final List<ManagedChannel> channels = new ArrayList<>();
  private final List<URI> endpoints;
  private final AtomicInteger current = new AtomicInteger();

  EtcdChannels(EtcdOptions options) {
    this.endpoints = options.endpoints();
    try {
      for (URI endpoint : options.endpoints()) {
        channels.add(open(endpoint, options));
      }
    } catch (SSLException | IllegalArgumentException e) {
      close();
      throw new StoreException(
          "cannot use the TLS files for etcd: " + e.getMessage() + ". Check the paths and formats",
          e);
    }
  }

  private ManagedChannel open(URI endpoint, EtcdOptions options) throws SSLException {
    int port = endpoint.getPort() < 0 ? DEFAULT_PORT : endpoint.getPort();
    NettyChannelBuilder builder =
        NettyChannelBuilder.forAddress(endpoint.getHost(), port)
            .executor(task -> Tasks.start("etcd-call", task::run))
            // A watch may deliver a large transaction in one message.
            .maxInboundMessageSize(Integer.MAX_VALUE)
            // etcd refuses pings more often than every five seconds.
            .keepAliveTime(10, TimeUnit.SECONDS)
            .keepAliveTimeout(5, TimeUnit.SECONDS);
    if ("http".equals(endpoint.getScheme())) {
      return builder.usePlaintext().build();
    }
    SslContextBuilder tls = GrpcSslContexts.forClient();
    Path ca = options.trustedCa();
    if (ca != null) {
      tls.trustManager(ca.toFile());
    }
    Path certificate = options.certificate();
    Path key = options.key();
    if (certificate != null && key != null) {
      tls.keyManager(certificate.toFile(), key.toFile());
    }
    return builder.sslContext(tls.build()).build();
  }

  int size() {
    return channels.size();
  }

  /// Whether any endpoint is reached over TLS.
  boolean secure() {
    return endpoints.stream().anyMatch(endpoint -> "https".equals(endpoint.getScheme()));
  }

  ManagedChannel current() {
    return channels.get(current.get());
  }

  /// Moves on to the next endpoint, unless another caller has moved on already.
  void failed(ManagedChannel channel) {
    int index = channels.indexOf(channel);
    current.compareAndSet(index, (index + 1) % channels.size());
  }

  @Override
  public String toString() {
    return endpoints.toString();
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
  }
}
