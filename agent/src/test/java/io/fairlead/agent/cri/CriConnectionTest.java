package io.fairlead.agent.cri;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fairlead.agent.runtime.RuntimeFailure;
import io.fairlead.work.Pacer;
import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The messages when no engine answers, or the wrong one.
class CriConnectionTest {
  @TempDir Path directory;

  private void open(Path socket) {
    CriRuntime.open(
            socket,
            "node-a",
            PodCgroups.ofMachine(directory.resolve("cgroups"), "/"),
            InstantSource.system(),
            Pacer.system())
        .close();
  }

  @Test
  void aMissingSocketIsNamed() {
    Path socket = directory.resolve("none.sock");
    assertThatThrownBy(() -> open(socket))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessage("no container engine: there is no socket " + socket);
  }

  @Test
  void aSocketNobodyListensOnIsNamed() throws IOException {
    Path socket = directory.resolve("old.sock");
    try (ServerSocketChannel left = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      left.bind(UnixDomainSocketAddress.of(socket));
    }
    assertThatThrownBy(() -> open(socket))
        .isInstanceOf(RuntimeFailure.class)
        .hasMessageContaining("the container engine at " + socket + " does not answer");
  }

  @Test
  void anEngineThatDoesNotSpeakCriIsNamed() throws Exception {
    Path socket = directory.resolve("other.sock");
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    Server server =
        NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioServerDomainSocketChannel.class)
            .bossEventLoopGroup(loop)
            .workerEventLoopGroup(loop)
            .build()
            .start();
    try {
      assertThatThrownBy(() -> open(socket))
          .isInstanceOf(RuntimeFailure.class)
          .hasMessageContaining("does not speak CRI v1")
          .hasMessageContaining("containerd 1.6 or newer");
    } finally {
      server.shutdownNow().awaitTermination(60, TimeUnit.SECONDS);
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).await(60, TimeUnit.SECONDS);
    }
  }
}
