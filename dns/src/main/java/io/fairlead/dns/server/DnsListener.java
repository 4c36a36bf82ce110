package io.fairlead.dns.server;

import java.net.InetSocketAddress;

/// Something that listens and answers. Its router can be exchanged while it works.
interface DnsListener extends AutoCloseable {
  /// Leads all further questions to other blocks.
  void route(Router router);

  /// Where it listens.
  InetSocketAddress address();

  @Override
  void close();
}
