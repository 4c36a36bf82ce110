package example;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.fairlead.junit.FairleadCluster;
import io.fairlead.junit.FairleadCluster.Node;
import io.fairlead.junit.TestCluster;
import org.junit.jupiter.api.Test;

/// With a node pods run and Services answer. Where no node can run the test is skipped.
@FairleadCluster(node = Node.ASSUMED, testManifests = "/hostnames.yaml")
class ServiceTest {
  @Test
  void theServiceAnswersByItsName(TestCluster cluster) {
    assertEquals("hostnames-0", cluster.get("http://hostnames").strip());
  }
}
