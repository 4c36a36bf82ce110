package io.fairlead.insight.nodrop;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.client.ObjectKey;
import io.fairlead.insight.finding.SentenceCatalog;
import io.fairlead.insight.nodrop.ConnectionLoss.How;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.node.ObjectNode;

/// Lost connections, and what happened to their endpoints: which cause is named.
class LossVectorsTest {
  private static final Instant TERM = Instant.parse("2026-11-16T10:45:00Z");
  private static final ObjectKey SERVICE = new ObjectKey("default", "hostnames");
  private static final String ADDRESS = "10.244.1.7";
  private static final EndpointFate QUIET = EndpointFate.of(ADDRESS, "hostnames-1");
  private static final EndpointFate ENDING = QUIET.told(TERM, Duration.ofSeconds(30));

  /// None is ready from the 60th second on.
  private static final SortedMap<Instant, Integer> READY =
      new TreeMap<>(Map.of(TERM.minusSeconds(60), 3, TERM.plusSeconds(60), 0));

  /// @param says one line for each cause
  record Vector(String name, EndpointFate fate, List<ConnectionLoss> losses, List<String> says) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static ConnectionLoss refused(long after) {
    return loss(How.REFUSED, after, false);
  }

  private static ConnectionLoss loss(How how, long after, boolean established) {
    return new ConnectionLoss(
        TERM.plusMillis(after), "b", 41873, how, 0, ADDRESS + ":9376", established);
  }

  private static Vector vector(
      String name, EndpointFate fate, List<ConnectionLoss> losses, String... says) {
    return new Vector(name, fate, losses, List.of(says));
  }

  static Stream<Vector> vectors() {
    return Stream.of(
        vector("113: a graceful end loses nothing", ENDING, List.of()),
        vector(
            "114: the node's rules still led to the pod",
            ENDING.withdrawn("b", TERM.plusMillis(31)),
            List.of(refused(17), refused(22)),
            "FL187 2 sent to 10.244.1.7:9376, 17–22 ms after SIGTERM; node b still had the rule for"
                + " 31 ms"),
        vector(
            "114: the process was gone, and no node says how long it had the rule",
            ENDING.ended(TERM.plusMillis(5)),
            List.of(refused(40)),
            "FL185 1 refused by 10.244.1.7:9376, 40 ms after SIGTERM: the process was gone"),
        vector(
            "114: both, in one run",
            ENDING.withdrawn("b", TERM.plusMillis(31)),
            List.of(refused(17), refused(200)),
            "FL187 1 sent to 10.244.1.7:9376, 17 ms after SIGTERM; node b still had the rule for 31"
                + " ms",
            "FL185 1 refused by 10.244.1.7:9376, 200 ms after SIGTERM: the process was gone"),
        vector(
            "losses of one cause are one line, however they failed",
            ENDING.withdrawn("b", TERM.plusMillis(130)),
            List.of(refused(21), loss(How.OTHER, 111, false)),
            "FL187 2 sent to 10.244.1.7:9376, 21–111 ms after SIGTERM; node b still had the rule for"
                + " 130 ms"),
        vector(
            "another node's rules prove nothing for this one",
            ENDING.withdrawn("c", TERM.plusMillis(31)),
            List.of(refused(17)),
            "FL185 1 refused by 10.244.1.7:9376, 17 ms after SIGTERM: the process was gone"),
        vector(
            "115: an open connection is cut while there was time to end",
            ENDING,
            List.of(loss(How.RESET, 3, true), loss(How.RESET, 4, true)),
            "FL186 2 reset by 10.244.1.7:9376, the process closed before its grace period"),
        vector(
            "a cut after the grace period is what was announced",
            ENDING,
            List.of(loss(How.RESET, 30_001, true)),
            "- 1 reset by 10.244.1.7:9376, cause unknown"),
        vector(
            "144: a pod that is not told to end does not answer",
            QUIET,
            List.of(loss(How.TIMEOUT, 1000, false)),
            "FL188 1 got no answer from 10.244.1.7:9376"),
        vector(
            "a pod whose address is gone does not answer",
            ENDING.ended(TERM.plusMillis(100)),
            List.of(loss(How.OTHER, 900, false)),
            "FL188 1 got no answer from 10.244.1.7:9376"),
        vector(
            "refused before SIGTERM: no cause is guessed",
            ENDING,
            List.of(refused(-5)),
            "- 1 refused by 10.244.1.7:9376, cause unknown"),
        vector(
            "refused by a pod that nothing happened to: no cause is guessed",
            QUIET,
            List.of(refused(10)),
            "- 1 refused by 10.244.1.7:9376, cause unknown"),
        vector(
            "a slow failure counts from when it was begun",
            ENDING.withdrawn("b", TERM.plusMillis(255)),
            List.of(
                new ConnectionLoss(
                    TERM.plusMillis(2710), "b", 1, How.OTHER, 2600, ADDRESS + ":9376", false)),
            "FL187 1 sent to 10.244.1.7:9376, 110 ms after SIGTERM; node b still had the rule for"
                + " 255 ms"),
        vector(
            "no endpoint was ready",
            ENDING,
            List.of(new ConnectionLoss(TERM.plusSeconds(61), "b", 1, How.REFUSED, 1, "", false)),
            "- 1 refused: no endpoint was ready"),
        vector(
            "without the table of connections the endpoint is unknown",
            ENDING,
            List.of(new ConnectionLoss(TERM, "b", 1, How.REFUSED, 1, "", false)),
            "- 1 refused by an endpoint that is not known, cause unknown"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("vectors")
  void names(Vector vector) {
    Map<String, EndpointFate> fates = Map.of(ADDRESS, vector.fate());
    List<LossGroup> groups = new LossJudge(SERVICE, fates, READY).judge(vector.losses());
    List<String> said = new ArrayList<>();
    for (LossGroup group : groups) {
      said.add(
          group.code().map(Enum::name).orElse("-")
              + " "
              + SentenceCatalog.english().text(group.sentence()));
      assertThat(SentenceCatalog.chinese().text(group.sentence()))
          .as("no value is left out")
          .doesNotContainPattern("\\{[a-z]+}")
          .containsPattern("\\p{IsHan}");
      group
          .next()
          .ifPresent(
              next ->
                  assertThat(SentenceCatalog.english().text(next))
                      .doesNotContainPattern("\\{[a-z]+}"));
    }
    assertThat(said).containsExactlyElementsOf(vector.says());
    ObjectNode document = NoDropDocument.of(report(0, groups, 0), "default", "hostnames", fates);
    assertThat(document.path("losses").size()).isEqualTo(vector.losses().size());
    assertThat(document.path("causes").size()).isEqualTo(vector.says().size());
  }

  private static NoDropReport report(int exit, List<LossGroup> groups, int late) {
    int lost = groups.stream().mapToInt(each -> each.losses().size()).sum();
    return new NoDropReport(
        List.of("false"),
        Optional.of(exit),
        1.0,
        new NoDropReport.ConnectionTally(1000 + lost, 1000, lost, late),
        new NoDropReport.LongLived(0, 0, 0),
        groups);
  }

  @Test
  void vector116ACommandThatFailedIsNoLoss() {
    NoDropReport report = report(1, List.of(), 0);
    assertThat(report.commandFailed()).isTrue();
    assertThat(report.hasLosses()).isFalse();
  }

  @Test
  void vector118APaceThatWasNotKeptIsNoProof() {
    assertThat(report(0, List.of(), 10).isProof()).as("10 of 1,010").isTrue();
    assertThat(report(0, List.of(), 11).isProof()).as("11 of 1,011").isFalse();
  }

  @Test
  void documentsHaveStableFields() {
    ObjectNode document =
        NoDropDocument.of(
            report(
                0,
                new LossJudge(SERVICE, Map.of(ADDRESS, ENDING), READY).judge(List.of(refused(17))),
                0),
            "default",
            "hostnames",
            Map.of(ADDRESS, ENDING));
    assertThat(document.propertyNames())
        .containsExactly(
            "apiVersion",
            "kind",
            "subject",
            "command",
            "commandExit",
            "seconds",
            "opened",
            "ok",
            "lost",
            "late",
            "proof",
            "long",
            "losses",
            "causes",
            "next");
    assertThat(document.path("losses").path(0).path("millisAfterTerm").asInt()).isEqualTo(17);
    assertThat(document.path("losses").path(0).path("code").asString()).isEqualTo("FL185");
  }

  @Test
  void theMomentOfAnEventIsNearerThanWholeSeconds() {
    assertThat(RolloutObserver.told(TERM, TERM.plusMillis(900))).isEqualTo(TERM.plusMillis(900));
    assertThat(RolloutObserver.told(TERM, TERM.plusSeconds(20))).isEqualTo(TERM);
  }
}
