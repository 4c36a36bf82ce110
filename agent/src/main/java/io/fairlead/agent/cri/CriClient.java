package io.fairlead.agent.cri;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import io.fairlead.work.Tasks;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.Marshaller;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Calls over an engine's socket. Safe for many threads; every call has a limit of time.
///
/// The connection is made when it is needed and made again after it broke; a call while no engine
/// listens fails at once.
final class CriClient implements AutoCloseable {
  private static final String RUNTIME = "runtime.v1.RuntimeService";
  private static final String IMAGES = "runtime.v1.ImageService";
  private static final String EVENTS = "containerd.services.events.v1.Events";
  private static final int LARGEST_ANSWER = 16 << 20;

  /// The namespace in which containerd keeps what came by CRI.
  private static final Metadata.Key<String> NAMESPACE =
      Metadata.Key.of("containerd-namespace", Metadata.ASCII_STRING_MARSHALLER);

  /// Messages as bytes: of a request nothing but its bytes is needed, a response is parsed as its
  /// type says.
  private record MessageMarshaller<T extends MessageLite>(Parser<? extends T> parser)
      implements Marshaller<T> {
    @Override
    public InputStream stream(T message) {
      return message.toByteString().newInput();
    }

    @Override
    public T parse(InputStream stream) {
      try {
        return parser.parseFrom(stream);
      } catch (InvalidProtocolBufferException e) {
        throw Status.INTERNAL
            .withDescription("answer not understood")
            .withCause(e)
            .asRuntimeException();
      }
    }
  }

  private final Path socket;
  private final EventLoopGroup loop;
  private final ManagedChannel channel;

  CriClient(Path socket) {
    this.socket = socket;
    this.loop =
        new MultiThreadIoEventLoopGroup(
            1, Tasks.platformThreads("containerd connection"), NioIoHandler.newFactory());
    this.channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
            // A socket of the machine knows no such option; left in, each connection warns.
            .withOption(ChannelOption.SO_KEEPALIVE, null)
            .eventLoopGroup(loop)
            .executor(task -> Tasks.start("containerd answer", task::run))
            .maxInboundMessageSize(LARGEST_ANSWER)
            .overrideAuthority("localhost")
            .usePlaintext()
            .build();
  }

  /// A call of the runtime service.
  ///
  /// @param response of the type that the service answers with
  <T extends MessageLite> T runtime(
      String call, MessageLite request, Parser<T> response, Duration limit) {
    return unary(RUNTIME, call, request, response, limit);
  }

  /// A call of the image service.
  ///
  /// @param response of the type that the service answers with
  <T extends MessageLite> T images(
      String call, MessageLite request, Parser<T> response, Duration limit) {
    return unary(IMAGES, call, request, response, limit);
  }

  private <T extends MessageLite> T unary(
      String service, String call, MessageLite request, Parser<T> response, Duration limit) {
    try {
      return ClientCalls.blockingUnaryCall(
          channel,
          method(service, call, MethodDescriptor.MethodType.UNARY, response),
          CallOptions.DEFAULT.withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS),
          request);
    } catch (StatusRuntimeException e) {
      throw failure(call, e);
    }
  }

  private CriException failure(String call, StatusRuntimeException e) {
    Status status = e.getStatus();
    String said = status.getDescription() == null ? status.getCode().name() : described(status);
    String text =
        switch (status.getCode()) {
          case UNAVAILABLE ->
              Files.exists(socket)
                  ? "the container engine at " + socket + " does not answer: " + said
                  : "no container engine: there is no socket " + socket;
          case UNIMPLEMENTED ->
              "the container engine at "
                  + socket
                  + " does not speak CRI v1 ("
                  + said
                  + "): containerd 1.6 or newer with its CRI plugin enabled is needed";
          case DEADLINE_EXCEEDED -> call + " took too long: " + said;
          default -> said;
        };
    return new CriException(status.getCode(), text, e);
  }

  private static String described(Status status) {
    Throwable cause = status.getCause();
    return cause == null || cause.getMessage() == null
        ? String.valueOf(status.getDescription())
        : status.getDescription() + ": " + cause.getMessage();
  }

  private static <T extends MessageLite> MethodDescriptor<MessageLite, T> method(
      String service, String call, MethodDescriptor.MethodType type, Parser<T> response) {
    return MethodDescriptor.<MessageLite, T>newBuilder(
            new MessageMarshaller<>(CriProto.NoContent.parser()), new MessageMarshaller<>(response))
        .setType(type)
        .setFullMethodName(service + "/" + call)
        .build();
  }

  /// Hands on the topics of what happens to containers, `/tasks/exit` and the like, until the
  /// stream ends.
  ///
  /// @param ended called once, with whether the engine knows no such stream
  /// @return ends the stream
  AutoCloseable events(Consumer<String> topics, Consumer<Boolean> ended) {
    ClientCall<MessageLite, EventsProto.Envelope> call =
        channel.newCall(
            method(
                EVENTS,
                "Subscribe",
                MethodDescriptor.MethodType.SERVER_STREAMING,
                EventsProto.Envelope.parser()),
            CallOptions.DEFAULT);
    Metadata headers = new Metadata();
    headers.put(NAMESPACE, "k8s.io");
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(EventsProto.Envelope event) {
            call.request(1);
            topics.accept(event.getTopic());
          }

          @Override
          public void onClose(Status status, @Nullable Metadata trailers) {
            ended.accept(status.getCode() == Status.Code.UNIMPLEMENTED);
          }
        },
        headers);
    call.request(1);
    call.sendMessage(
        EventsProto.SubscribeRequest.newBuilder().addFilters("topic~=\"^/tasks/\"").build());
    call.halfClose();
    return () -> call.cancel("no longer wanted", null);
  }

  /// Tries to connect at the next call instead of waiting longer and longer.
  void tryAgain() {
    channel.resetConnectBackoff();
  }

  @Override
  public void close() {
    channel.shutdownNow();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS);
  }
}
