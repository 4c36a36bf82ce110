package io.fairlead.agent.probe;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
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
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Asks the health service of a gRPC server (`grpc.health.v1.Health/Check`), unencrypted.
///
/// The connection is opened by the calling thread or by one that it started, so in whatever network
/// the calling thread is. Nothing of it is shared with other calls for that reason.
final class GrpcQuestion {
  private final String agent;

  GrpcQuestion(String agent) {
    this.agent = agent;
  }

  /// @param service empty for the server as a whole
  Outcome ask(String host, int port, String service, Duration timeout) {
    EventLoopGroup loop =
        new MultiThreadIoEventLoopGroup(
            1,
            Thread.ofPlatform().daemon(true).name("grpc probe").factory(),
            NioIoHandler.newFactory());
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(new InetSocketAddress(host, port))
            .channelType(NioSocketChannel.class, InetSocketAddress.class)
            .eventLoopGroup(loop)
            .directExecutor()
            .offloadExecutor(Runnable::run)
            .userAgent(agent)
            .overrideAuthority(HttpQuestion.joined(host, port))
            .usePlaintext()
            .build();
    try {
      return judged(
          ClientCalls.blockingUnaryCall(
              channel,
              HealthProtocol.CHECK,
              CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS),
              question(service)));
    } catch (StatusRuntimeException e) {
      return refused(e.getStatus(), HttpQuestion.joined(host, port), timeout);
    } finally {
      channel.shutdownNow();
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
    }
  }

  private static UnknownFieldSet question(String service) {
    return service.isEmpty()
        ? UnknownFieldSet.getDefaultInstance()
        : UnknownFieldSet.newBuilder()
            .addField(
                HealthProtocol.SERVICE,
                UnknownFieldSet.Field.newBuilder()
                    .addLengthDelimited(ByteString.copyFromUtf8(service))
                    .build())
            .build();
  }

  private static Outcome judged(UnknownFieldSet answer) {
    List<Long> values = answer.getField(HealthProtocol.STATUS).getVarintList();
    long status = values.isEmpty() ? 0 : values.getLast();
    return status == HealthProtocol.SERVING
        ? new Outcome.Success("")
        : new Outcome.Failure("service unhealthy (responded with \"" + word(status) + "\")");
  }

  private static String word(long status) {
    return switch ((int) status) {
      case 0 -> "UNKNOWN";
      case 2 -> "NOT_SERVING";
      case 3 -> "SERVICE_UNKNOWN";
      default -> Long.toString(status);
    };
  }

  private static Outcome refused(Status status, String target, Duration timeout) {
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
    return new Outcome.Failure(text);
  }

  private static String reason(Status status, String said) {
    Throwable cause = status.getCause();
    return cause == null || cause.getMessage() == null ? said : cause.getMessage();
  }
}
