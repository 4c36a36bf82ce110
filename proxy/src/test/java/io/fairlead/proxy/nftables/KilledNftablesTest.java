package io.fairlead.proxy.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.api.net.IpAddress;
import io.fairlead.kernel.syscall.NetworkNamespace;
import io.fairlead.proxy.faults.Churn;
import io.fairlead.proxy.faults.KilledContract;
import io.fairlead.proxy.testing.PlanFollower;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// A proxy in nftables mode, killed again and again.
class KilledNftablesTest extends KilledContract {
  private static final Pattern ENDPOINT = Pattern.compile(" : (10\\.66\\.\\d+\\.\\d+) \\. 8080");

  @Override
  protected String mode() {
    return "nftables";
  }

  @Override
  protected int check(NetworkNamespace node, int last) {
    try (NftablesPlane plane = node.call(() -> NftablesPlane.open(IpAddress.Family.IPV4))) {
      List<Integer> numbers =
          ENDPOINT
              .matcher(plane.observe().listing())
              .results()
              .map(MatchResult::group)
              .map(text -> text.substring(3, text.indexOf(" . ")))
              .map(text -> Churn.numberOf(IpAddress.parse(text)))
              .distinct()
              .toList();
      assertThat(numbers).as("endpoints of one plan only").hasSize(1);
      int number = numbers.getFirst();
      assertThat(number).isBetween(last, last + 1);
      assertThat(PlanFollower.reconcile(plane, Churn.plan(number)).writes())
          .as("plan " + number)
          .isZero();
      return number;
    }
  }
}
