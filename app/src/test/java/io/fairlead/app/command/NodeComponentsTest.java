package io.fairlead.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.Cidr;
import io.fairlead.app.cli.CommandContext;
import io.fairlead.app.cli.CommandLineHarness;
import java.io.ByteArrayOutputStream;
import org.junit.jupiter.api.Test;

class NodeComponentsTest {
  private static final Cidr RANGE = Cidr.parse("10.112.0.0/24");

  private final CommandContext context =
      new CommandLineHarness().context(new ByteArrayOutputStream(), new ByteArrayOutputStream());

  @Test
  void addressesOfOneMachineAreAdvisedAgainstWhereThereAreSeveral() {
    assertThat(NodeComponents.ofSeveral(RANGE, 1, context)).isEmpty();
    assertThat(NodeComponents.ofSeveral(RANGE, 2, context))
        .hasValueSatisfying(
            part -> {
              assertThat(part.well()).as("advice, no fault").isTrue();
              assertThat(part.detail())
                  .isEqualTo(
                      "10.112.0.0/24 is routed on this machine only, and there are 2 nodes: give a"
                          + " pool of your network with --load-balancer-pool (FL404)");
            });
  }
}
