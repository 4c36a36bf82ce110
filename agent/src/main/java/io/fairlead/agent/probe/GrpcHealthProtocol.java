package io.fairlead.agent.probe;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.fairlead.agent.probe.HealthProto.HealthCheckRequest;
import io.fairlead.agent.probe.HealthProto.HealthCheckResponse;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.InputStream;

/// The one call of gRPC's health protocol that probes use.
final class GrpcHealthProtocol {
  static final String SERVICE_NAME = "grpc.health.v1.Health";

  static final MethodDescriptor<HealthCheckRequest, HealthCheckResponse> CHECK =
      MethodDescriptor.newBuilder(
              new MessageMarshaller<>(HealthCheckRequest.parser()),
              new MessageMarshaller<>(HealthCheckResponse.parser()))
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(SERVICE_NAME + "/Check")
          .build();

  private GrpcHealthProtocol() {}

  private record MessageMarshaller<T extends MessageLite>(Parser<T> parser)
      implements MethodDescriptor.Marshaller<T> {
    @Override
    public InputStream stream(T message) {
      return message.toByteString().newInput();
    }

    @Override
    public T parse(InputStream stream) {
      try {
        return parser.parseFrom(stream);
      } catch (InvalidProtocolBufferException e) {
        throw Status.INTERNAL.withCause(e).asRuntimeException();
      }
    }
  }
}
