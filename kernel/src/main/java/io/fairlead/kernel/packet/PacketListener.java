package io.fairlead.kernel.packet;

import io.fairlead.kernel.syscall.FileCalls;
import io.fairlead.kernel.syscall.NativeFileDescriptor;
import io.fairlead.work.SupervisedLoop;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/// Hands the frames of a [PacketSocket] to a receiver, in a loop `packet-listener`. Owns the
/// socket.
public final class PacketListener implements AutoCloseable {
  private final PacketSocket socket;
  private final NativeFileDescriptor stop;
  private final Consumer<ByteBuffer> each;
  private final SupervisedLoop loop;

  private PacketListener(String name, PacketSocket socket, Consumer<ByteBuffer> each) {
    this.socket = socket;
    this.each = each;
    this.stop = FileCalls.event("end of " + name);
    // Waits in native calls: not for a virtual thread, and no interrupt would end it.
    this.loop =
        SupervisedLoop.of("packet-listener")
            .key(name)
            .platform()
            .stopBy(() -> FileCalls.signal(stop))
            .build(this::receive);
  }

  /// @param name what it listens to, for the log
  /// @param each gets one frame at a time, good until it returns
  public static PacketListener start(String name, PacketSocket socket, Consumer<ByteBuffer> each) {
    PacketListener listener = new PacketListener(name, socket, each);
    listener.loop.start();
    return listener;
  }

  private void receive() {
    ByteBuffer frame = socket.receive();
    if (frame == null) {
      socket.await(stop);
      return;
    }
    each.accept(frame);
  }

  /// Ends the loop, waits for it, and closes the socket. Idempotent.
  @Override
  public void close() {
    loop.close();
    socket.close();
    stop.close();
  }
}
