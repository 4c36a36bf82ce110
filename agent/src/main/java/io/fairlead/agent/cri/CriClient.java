package io.fairlead.agent.cri;

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
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Calls over an engine's socket. Safe for many threads; every call has a limit of time.
///
/// The connection is made when it is needed and made again after it broke; a call while nobody
/// listens fails at once.
final class CriClient implements AutoCloseable {
  private static final String RUNTIME = "runtime.v1.RuntimeService";
  private static final String IMAGES = "runtime.v1.ImageService";
  private static final String EVENTS = "containerd.services.events.v1.Events";
  private static final int LARGEST_ANSWER = 16 << 20;

  /// The namespace in which containerd keeps what came by CRI.
  private static final Metadata.Key<String> NAMESPACE =
      Metadata.Key.of("containerd-namespace", Metadata.ASCII_STRING_MARSHALLER);

  private static final Marshaller<Message> MARSHALLER =
      new Marshaller<>() {
        @Override
        public InputStream stream(Message message) {
          return message.stream();
        }

        @Override
        public Message parse(InputStream stream) {
          try {
            return Message.parse(stream);
          } catch (IOException e) {
            throw Status.INTERNAL
                .withDescription("answer not understood")
                .withCause(e)
                .asRuntimeException();
          }
        }
      };

  private final Path socket;
  private final EventLoopGroup loop;
  private final ManagedChannel channel;
  private final Map<String, MethodDescriptor<Message, Message>> methods = new ConcurrentHashMap<>();

  CriClient(Path socket) {
    this.socket = socket;
    this.loop =
        new MultiThreadIoEventLoopGroup(
            1,
            Thread.ofPlatform().daemon(true).name("containerd connection").factory(),
            NioIoHandler.newFactory());
    this.channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
            // A socket of the machine knows no such option; left in, each connection warns.
            .withOption(ChannelOption.SO_KEEPALIVE, null)
            .eventLoopGroup(loop)
            .executor(task -> Thread.ofVirtual().name("containerd answer").start(task))
            .maxInboundMessageSize(LARGEST_ANSWER)
            .overrideAuthority("localhost")
            .usePlaintext()
            .build();
  }

  /// A call of the runtime service.
  Message runtime(String call, Message request, Duration limit) {
    return unary(RUNTIME, call, request, limit);
  }

  /// A call of the image service.
  Message images(String call, Message request, Duration limit) {
    return unary(IMAGES, call, request, limit);
  }

  private Message unary(String service, String call, Message request, Duration limit) {
    try {
      return ClientCalls.blockingUnaryCall(
          channel,
          method(service, call, MethodDescriptor.MethodType.UNARY),
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

  private MethodDescriptor<Message, Message> method(
      String service, String call, MethodDescriptor.MethodType type) {
    return methods.computeIfAbsent(
        service + "/" + call,
        name ->
            MethodDescriptor.<Message, Message>newBuilder(MARSHALLER, MARSHALLER)
                .setType(type)
                .setFullMethodName(name)
                .build());
  }

  /// Tells the topics of what happens to containers, `/tasks/exit` and the like, until the stream
  /// ends.
  ///
  /// @param ended told once, with whether the engine knows no such stream
  /// @return ends the stream
  AutoCloseable events(Consumer<String> topics, Consumer<Boolean> ended) {
    ClientCall<Message, Message> call =
        channel.newCall(
            method(EVENTS, "Subscribe", MethodDescriptor.MethodType.SERVER_STREAMING),
            CallOptions.DEFAULT);
    Metadata headers = new Metadata();
    headers.put(NAMESPACE, "k8s.io");
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onMessage(Message event) {
            call.request(1);
            topics.accept(event.text(3)); // Envelope.topic
          }

          @Override
          public void onClose(Status status, @Nullable Metadata trailers) {
            ended.accept(status.getCode() == Status.Code.UNIMPLEMENTED);
          }
        },
        headers);
    call.request(1);
    call.sendMessage(Message.write().text(1, "topic~=\"^/tasks/\"").build()); // filters
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
