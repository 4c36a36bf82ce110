package io.fairlead.controller.garbage;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.client.DeleteOptions.Propagation;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.garbage.OwnerGraph.Node;
import io.fairlead.controller.garbage.Verdict.Owned;
import io.fairlead.controller.garbage.Verdict.Owner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class VerdictTest {
  record Case(String name, Node node, List<Owned> owners, List<Node> dependents, Verdict expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final Owned SOLID = new Owned("solid", Owner.SOLID);
  private static final Owned GONE = new Owned("gone", Owner.DANGLING);
  private static final Owned WAITING = new Owned("waiting", Owner.WAITING);

  private static Node node(boolean deleting, List<String> finalizers, OwnerReference... owners) {
    return new Node(
        ResourceType.PODS,
        new ObjectMeta(
            new ObjectKey("default", "x"),
            "x",
            "1",
            1,
            Map.of(),
            List.of(owners),
            finalizers,
            deleting ? Optional.of("2026-01-01T00:00:00Z") : Optional.empty()));
  }

  private static Node dependent(boolean blocks) {
    return node(false, List.of(), new OwnerReference("v1", "Pod", "x", "x", false, blocks));
  }

  static Stream<Case> cases() {
    Node plain = node(false, List.of());
    Node foreground = node(true, List.of(OwnerGraph.FOREGROUND));
    Node orphaning = node(true, List.of(OwnerGraph.ORPHAN));
    List<Node> blocking = List.of(dependent(true));
    List<Node> loose = List.of(dependent(false));
    return Stream.of(
        new Case("no owners: kept", plain, List.of(), List.of(), new Verdict.Keep()),
        new Case("a solid owner: kept", plain, List.of(SOLID), List.of(), new Verdict.Keep()),
        new Case(
            "GC-1 the only owner is gone: deleted",
            plain,
            List.of(GONE),
            List.of(),
            new Verdict.Delete(Propagation.BACKGROUND)),
        new Case(
            "GC-4 one live and one dead owner: the dead reference goes",
            plain,
            List.of(SOLID, GONE),
            List.of(),
            new Verdict.DropOwners(Set.of("gone"))),
        new Case(
            "one live and one waiting owner: not deleted with the waiting one",
            plain,
            List.of(SOLID, WAITING),
            List.of(),
            new Verdict.DropOwners(Set.of("waiting"))),
        new Case(
            "GC-2 the owner waits: deleted",
            plain,
            List.of(WAITING),
            List.of(),
            new Verdict.Delete(Propagation.BACKGROUND)),
        new Case(
            "the owner waits and it has dependents itself: foreground all the way down",
            plain,
            List.of(WAITING, GONE),
            loose,
            new Verdict.Delete(Propagation.FOREGROUND)),
        new Case(
            "a chosen policy is kept: orphan",
            node(false, List.of(OwnerGraph.ORPHAN)),
            List.of(GONE),
            List.of(),
            new Verdict.Delete(Propagation.ORPHAN)),
        new Case(
            "a chosen policy is kept: foreground",
            node(false, List.of(OwnerGraph.FOREGROUND)),
            List.of(GONE),
            List.of(),
            new Verdict.Delete(Propagation.FOREGROUND)),
        new Case(
            "foreground with a blocking dependent: wait for it",
            foreground,
            List.of(),
            blocking,
            new Verdict.DeleteDependents(blocking)),
        new Case(
            "foreground with dependents that do not block: free to go",
            foreground,
            List.of(),
            loose,
            new Verdict.Release()),
        new Case(
            "foreground without dependents: free to go",
            foreground,
            List.of(),
            List.of(),
            new Verdict.Release()),
        new Case(
            "orphan: dependents are let free first",
            orphaning,
            List.of(),
            blocking,
            new Verdict.Orphan(blocking)),
        new Case(
            "already being deleted: left alone",
            node(true, List.of("example.com/hold")),
            List.of(GONE),
            List.of(),
            new Verdict.Keep()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void cases(Case row) {
    assertThat(Verdict.of(row.node(), row.owners(), row.dependents())).isEqualTo(row.expected());
  }
}
