package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.NetlinkConstants;
import io.fairlead.kernel.netlink.NetlinkListener;
import java.util.function.Consumer;

/// Reports to a listener what happens to the nftables of a namespace, in a loop of its own. When
/// the listener is slower than the kernel, events are lost and {@link NftEvent.Lost} says so.
public final class NftMonitor implements AutoCloseable {
  private static final int GROUP_CHANGES = 7;
  private static final int GROUP_TRACES = 9;

  private final NetlinkListener listener;
  private final int group;

  private NftMonitor(String name, int group, Consumer<NftEvent> receiver) {
    this.group = group;
    listener =
        NetlinkListener.prepare(
            name,
            NetlinkConstants.NETFILTER,
            message -> {
              NftEvent event = NftEventReader.read(message);
              if (event != null) {
                receiver.accept(event);
              }
            },
            () -> receiver.accept(new NftEvent.Lost()));
  }

  /// Watches changes in the namespace of the calling thread.
  public static NftMonitor changes(Consumer<NftEvent> receiver) {
    NftMonitor monitor = prepareChanges(receiver);
    monitor.begin();
    return monitor;
  }

  /// Will watch changes in the namespace of the calling thread from when it [begins][#begin].
  public static NftMonitor prepareChanges(Consumer<NftEvent> receiver) {
    return new NftMonitor("nftables changes", GROUP_CHANGES, receiver);
  }

  /// Watches packets that a rule told to trace (`meta nftrace set 1`).
  public static NftMonitor traces(Consumer<NftEvent> receiver) {
    NftMonitor monitor = new NftMonitor("nftables traces", GROUP_TRACES, receiver);
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
