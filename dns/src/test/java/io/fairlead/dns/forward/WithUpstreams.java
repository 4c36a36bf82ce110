package io.fairlead.dns.forward;

import io.fairlead.dns.plugin.QueryTransport;
import io.fairlead.dns.plugin.Reply;
import io.fairlead.dns.plugin.SetupException;
import io.fairlead.dns.testing.Rig;
import io.fairlead.dns.testing.TestUpstream;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// Real sockets on loopback, two upstreams with moods.
abstract class WithUpstreams {
  static final String WELL = "NOERROR; db.example.net. 60 IN A 192.0.2.80";

  TestUpstream one;
  TestUpstream two;

  @BeforeEach
  void open() throws IOException {
    one = new TestUpstream();
    two = new TestUpstream();
    two.address = "192.0.2.81";
  }

  @AfterEach
  void close() throws IOException {
    one.close();
    two.close();
  }

  Rig rig(String... options) throws SetupException {
    String block = options.length == 0 ? "" : " {\n" + String.join("\n", options) + "\n}";
    return new Rig("forward . " + one.target() + block, Rig.refusing()).realTime().start();
  }

  Rig both(String... options) throws SetupException {
    String block = " {\npolicy sequential\n" + String.join("\n", options) + "\n}";
    String line = "forward . " + one.target() + " " + two.target() + block;
    return new Rig(line, Rig.refusing()).realTime().start();
  }

  static Reply askTcp(Rig rig) {
    return (Reply)
        rig.answer(Rig.query("db.example.net", "A", "10.0.0.1", QueryTransport.TCP, null));
  }
}
