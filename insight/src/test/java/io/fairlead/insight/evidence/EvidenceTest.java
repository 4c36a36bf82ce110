package io.fairlead.insight.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class EvidenceTest {
  private static final Instant AT = Instant.parse("2026-11-16T10:00:00Z");

  @Test
  void partsOfSeenEvidenceKeepWhereItIsFrom() {
    Evidence<Integer> length = new Seen<>("rules", Source.KERNEL, "a", AT).map(String::length);
    assertThat(length).isEqualTo(new Seen<>(5, Source.KERNEL, "a", AT));
    assertThat(length.isSeen()).isTrue();
  }

  @Test
  void partsOfUnseenEvidenceKeepWhy() {
    Evidence<Integer> length = new Unseen<String>(new Why.NoNodeApi(), "a").map(String::length);
    assertThat(length).isEqualTo(new Unseen<>(new Why.NoNodeApi(), "a"));
    assertThat(length.value()).isEmpty();
  }

  @Test
  void documentsCarryAWordForEachReason() {
    List<Why> reasons =
        List.of(
            new Why.Forbidden("list", "pods"),
            new Why.NoNodeApi(),
            new Why.NoAnswer("connection refused"),
            new Why.NoRights(),
            new Why.NotOurs("cilium"),
            new Why.NotInKernel("nf_tables"),
            new Why.TooMany(20),
            new Why.SwitchedOff("--no-probe"));
    assertThat(reasons.stream().map(Why::name))
        .containsExactly(
            "FORBIDDEN",
            "NO_NODE_API",
            "NO_ANSWER",
            "NO_RIGHTS",
            "NOT_OURS",
            "NOT_IN_KERNEL",
            "TOO_MANY",
            "SWITCHED_OFF");
    assertThat(reasons).hasSameSizeAs(Arrays.asList(Why.class.getPermittedSubclasses()));
    assertThat(reasons.getFirst().values()).isEqualTo(Map.of("verb", "list", "resource", "pods"));
  }

  @Test
  void usersSeeSourcesInLowerCase() {
    assertThat(Arrays.stream(Source.values()).map(Source::toString))
        .containsExactly("api", "kernel", "probe", "model", "record");
  }
}
