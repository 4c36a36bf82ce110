package io.fairlead.agent.probe;

import io.fairlead.agent.probe.HealthProto.HealthCheckRequest;
import io.fairlead.agent.probe.HealthProto.HealthCheckResponse;
import io.fairlead.agent.probe.HealthProto.HealthCheckResponse.ServingStatus;
import io.fairlead.work.Tasks;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Asks the health service of a gRPC server (`grpc.health.v1.Health/Check`), unencrypted.
///
/// The connection is opened by the calling thread or by one that it started, so in whatever network
/// the calling thread is. Nothing of it is shared with other calls for that reason.
final class GrpcProber {
  private final String agent;

  GrpcProber(String agent) {
    this.agent = agent;
  }

  /// @param service empty for the server as a whole
  ProbeOutcome ask(String host, int port, String service, Duration timeout) {
    EventLoopGroup loop =
        new MultiThreadIoEventLoopGroup(
            1, Tasks.platformThreads("grpc probe"), NioIoHandler.newFactory());
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(new InetSocketAddress(host, port))
            .channelType(NioSocketChannel.class, InetSocketAddress.class)
            .eventLoopGroup(loop)
            .directExecutor()
            .offloadExecutor(Runnable::run)
            .userAgent(agent)
            .overrideAuthority(HttpProber.joined(host, port))
            .usePlaintext()
            .build();
    try {
      return judged(
          ClientCalls.blockingUnaryCall(
              channel,
              GrpcHealthProtocol.CHECK,
              CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS),
              HealthCheckRequest.newBuilder().setService(service).build()));
    } catch (StatusRuntimeException e) {
      return refused(e.getStatus(), HttpProber.joined(host, port), timeout);
    } finally {
      channel.shutdownNow();
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  private static ProbeOutcome judged(HealthCheckResponse response) {
    return response.getStatus() == ServingStatus.SERVING
        ? new ProbeOutcome.Success("")
        : new ProbeOutcome.Failure("service unhealthy (responded with \"" + word(response) + "\")");
  }

  /// The name of the status; its number where the protocol has no name for it.
  private static String word(HealthCheckResponse response) {
    return response.getStatus() == ServingStatus.UNRECOGNIZED
        ? Integer.toString(response.getStatusValue())
        : response.getStatus().name();
  }

  private static ProbeOutcome refused(Status status, String target, Duration timeout) {
    String said = String.valueOf(status.getDescription());
    String text =
        switch (status.getCode()) {
          case UNIMPLEMENTED ->
              "error: this server does not implement the grpc health protocol"
                  + " (grpc.health.v1.Health): "
                  + said;
          case DEADLINE_EXCEEDED ->
              "timeout: health rpc did not complete within " + timeout.toSeconds() + "s";
          case UNAVAILABLE ->
              "error: failed to connect service at \"" + target + "\": " + reason(status, said);
          default -> "error: health rpc probe failed: " + status.getCode() + ": " + said;
        };
    return new ProbeOutcome.Failure(text);
  }

  private static String reason(Status status, String said) {
    Throwable cause = status.getCause();
    return cause == null || cause.getMessage() == null ? said : cause.getMessage();
  }
}
