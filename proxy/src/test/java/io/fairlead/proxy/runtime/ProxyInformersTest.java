package io.fairlead.proxy.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.Cidr;
import io.fairlead.client.Client;
import io.fairlead.client.DeleteOptions;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.informer.TimingSources;
import io.fairlead.client.testing.FakeApi;
import io.fairlead.proxy.testing.ProxyTestObjects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProxyInformersTest {
  private static final Cidr RANGE = Cidr.parse("10.96.0.0/12");

  private final Client client = new Client(new FakeApi(TestProxy.TYPES));
  private ProxyInformers watches;

  @BeforeEach
  void fill() {
    client.create(
        ProxyInformers.NODES,
        "",
        ProxyTestObjects.yaml("{apiVersion: v1, kind: Node, metadata: {name: node-a}}").getFirst());
    client.create(
        ProxyInformers.SERVICE_CIDRS,
        "",
        ProxyTestObjects.yaml(
                """
                {apiVersion: networking.k8s.io/v1, kind: ServiceCIDR, metadata: {name: kubernetes},
                 spec: {cidrs: ["10.96.0.0/12"]}}
                """)
            .getFirst());
    TimingSources pacing = TimingSources.system();
    watches = new ProxyInformers(client, "node-a", pacing, new ServiceInformers(client, pacing));
  }

  @AfterEach
  void close() {
    watches.close();
    client.close();
  }

  @Test
  void whatIsAskedForIsKnownBeforeTheWatchesHaveIt() {
    assertThat(watches.node()).isEmpty();
    assertThat(watches.serviceCidrs()).isEmpty();
    watches.ask(true);
    assertThat(watches.node()).isPresent();
    assertThat(watches.serviceCidrs()).containsExactly(RANGE);
  }

  @Test
  void rangesAreLeftOutWhereNobodyUsesThem() {
    watches.ask(false);
    assertThat(watches.node()).isPresent();
    assertThat(watches.serviceCidrs()).isEmpty();
  }

  @Test
  void theWatchesKnowBetter() throws InterruptedException {
    watches.ask(true);
    client.delete(ProxyInformers.NODES, new ObjectKey("", "node-a"), DeleteOptions.DEFAULT);
    client.delete(
        ProxyInformers.SERVICE_CIDRS, new ObjectKey("", "kubernetes"), DeleteOptions.DEFAULT);
    watches.startNode();
    watches.startFeed();
    watches.ranges().start();
    watches.nodes().awaitSync();
    watches.ranges().awaitSync();
    assertThat(watches.node()).isEmpty();
    assertThat(watches.serviceCidrs()).isEmpty();
  }
}
