package io.fairlead.agent.probe;

import com.google.protobuf.UnknownFieldSet;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;

/// The health protocol of gRPC as it goes over the wire: one call, and messages by the numbers of
/// their fields.
final class HealthProtocol {
  static final String SERVICE_NAME = "grpc.health.v1.Health";

  /// Of the question: the service asked for.
  static final int SERVICE = 1;

  /// Of the answer: how it is.
  static final int STATUS = 1;

  static final long SERVING = 1;
  static final long NOT_SERVING = 2;

  private static final MethodDescriptor.Marshaller<UnknownFieldSet> MARSHALLER =
      new MethodDescriptor.Marshaller<>() {
        @Override
        public InputStream stream(UnknownFieldSet message) {
          return message.toByteString().newInput();
        }

        @Override
        public UnknownFieldSet parse(InputStream stream) {
          try {
            return UnknownFieldSet.parseFrom(stream);
          } catch (IOException e) {
            throw Status.INTERNAL.withCause(e).asRuntimeException();
          }
        }
      };

  static final MethodDescriptor<UnknownFieldSet, UnknownFieldSet> CHECK =
      MethodDescriptor.<UnknownFieldSet, UnknownFieldSet>newBuilder(MARSHALLER, MARSHALLER)
          .setType(MethodDescriptor.MethodType.UNARY)
          .setFullMethodName(SERVICE_NAME + "/Check")
          .build();

  private HealthProtocol() {}
}
