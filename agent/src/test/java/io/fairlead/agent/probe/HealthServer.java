package io.fairlead.agent.probe;

import io.fairlead.agent.probe.HealthProto.HealthCheckResponse;
import io.fairlead.agent.probe.HealthProto.HealthCheckResponse.ServingStatus;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ServerCalls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/// A gRPC server with a health service that answers as the name of the service asks: `well` serves,
/// `ill` does not, `mute` never answers, `odd` is an error, everything else is unknown to it.
final class HealthServer implements AutoCloseable {
  private final Server server;

  /// @param healthy whether it has a health service at all
  HealthServer(boolean healthy) throws IOException {
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    if (healthy) {
      builder.addService(
          ServerServiceDefinition.builder(GrpcHealthProtocol.SERVICE_NAME)
              .addMethod(
                  GrpcHealthProtocol.CHECK,
                  ServerCalls.asyncUnaryCall(
                      (question, answer) -> {
                        switch (question.getService()) {
                          case "", "well" -> {
                            answer.onNext(status(ServingStatus.SERVING));
                            answer.onCompleted();
                          }
                          case "ill" -> {
                            answer.onNext(status(ServingStatus.NOT_SERVING));
                            answer.onCompleted();
                          }
                          case "mute" -> {}
                          case "odd" ->
                              answer.onError(
                                  Status.DATA_LOSS.withDescription("lost").asRuntimeException());
                          default ->
                              answer.onError(
                                  Status.NOT_FOUND
                                      .withDescription("unknown service")
                                      .asRuntimeException());
                        }
                      }))
              .build());
    }
    server = builder.build().start();
  }

  private static HealthCheckResponse status(ServingStatus status) {
    return HealthCheckResponse.newBuilder().setStatus(status).build();
  }

  int port() {
    return server.getPort();
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
