package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.Listener;
import io.fairlead.kernel.netlink.Netlink;
import java.util.function.Consumer;

/// Tells a listener what happens to the nftables of a namespace, on a thread of its own. When the
/// listener is slower than the kernel, events are lost and {@link Event.Lost} says so.
public final class Monitor implements AutoCloseable {
  private static final int GROUP_CHANGES = 7;
  private static final int GROUP_TRACES = 9;

  private final Listener listener;
  private final int group;

  private Monitor(String name, int group, Consumer<Event> receiver) {
    this.group = group;
    listener =
        Listener.prepare(
            name,
            Netlink.NETFILTER,
            message -> {
              Event event = EventReader.read(message);
              if (event != null) {
                receiver.accept(event);
              }
            },
            () -> receiver.accept(new Event.Lost()));
  }

  /// Watches changes in the namespace of the calling thread.
  public static Monitor changes(Consumer<Event> receiver) {
    Monitor monitor = prepareChanges(receiver);
    monitor.begin();
    return monitor;
  }

  /// Will watch changes in the namespace of the calling thread from when it [begins][#begin].
  public static Monitor prepareChanges(Consumer<Event> receiver) {
    return new Monitor("nftables changes", GROUP_CHANGES, receiver);
  }

  /// Watches packets that a rule told to trace (`meta nftrace set 1`).
  public static Monitor traces(Consumer<Event> receiver) {
    Monitor monitor = new Monitor("nftables traces", GROUP_TRACES, receiver);
    monitor.begin();
    return monitor;
  }

  /// Watches from now on. Once only.
  public void begin() {
    listener.begin(group);
  }

  @Override
  public void close() {
    listener.close();
  }
}
