package io.fairlead.controller.garbage;

import static org.assertj.core.api.Assertions.assertThat;

import io.fairlead.client.DeleteOptions.Propagation;
import io.fairlead.client.ObjectKey;
import io.fairlead.client.ObjectMeta;
import io.fairlead.client.OwnerReference;
import io.fairlead.client.ResourceType;
import io.fairlead.controller.garbage.GarbageAction.Owned;
import io.fairlead.controller.garbage.GarbageAction.Owner;
import io.fairlead.controller.garbage.OwnerGraph.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class GarbageActionTest {
  record Case(
      String name, Node node, List<Owned> owners, List<Node> dependents, GarbageAction expected) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static final Owned SOLID = new Owned("solid", Owner.SOLID);
  private static final Owned GONE = new Owned("gone", Owner.DANGLING);
  private static final Owned WAITING = new Owned("waiting", Owner.WAITING);

  private static Node node(boolean deleting, List<String> finalizers, OwnerReference... owners) {
    return node("x", deleting, finalizers, owners);
  }

  private static Node node(
      String uid, boolean deleting, List<String> finalizers, OwnerReference... owners) {
    return new Node(
        ResourceType.PODS,
        new ObjectMeta(
            new ObjectKey("default", uid),
            uid,
            "1",
            1,
            Map.of(),
            List.of(owners),
            finalizers,
            deleting ? Optional.of("2026-01-01T00:00:00Z") : Optional.empty()));
  }

  private static Node dependent(boolean blocks) {
    return node("d", false, List.of(), ownedBy("x", blocks));
  }

  private static OwnerReference ownedBy(String uid, boolean blocks) {
    return new OwnerReference("v1", "Pod", uid, uid, false, blocks);
  }

  private static Node waiting(String uid, String... owners) {
    return node(
        uid,
        true,
        List.of(OwnerGraph.FOREGROUND),
        Stream.of(owners).map(owner -> ownedBy(owner, true)).toArray(OwnerReference[]::new));
  }

  record Circle(String name, List<Node> nodes, String of, Set<String> blockers) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Circle> circles() {
    List<Node> ring = List.of(waiting("a", "c"), waiting("b", "a"), waiting("c", "b"));
    return Stream.of(
        new Circle("a circle of waiting objects blocks none of them", ring, "a", Set.of()),
        new Circle(
            "the circle waits for what is outside of it",
            Stream.concat(ring.stream(), Stream.of(node("d", false, List.of(), ownedBy("c", true))))
                .toList(),
            "a",
            Set.of("d")),
        new Circle(
            "a circle that is not yet closed is waited for",
            List.of(
                waiting("a", "c"),
                waiting("b", "a"),
                node("c", false, List.of(), ownedBy("b", true))),
            "a",
            Set.of("b")),
        new Circle(
            "a line is waited for", List.of(waiting("a"), waiting("b", "a")), "a", Set.of("b")),
        new Circle("who owns itself does not wait", List.of(waiting("a", "a")), "a", Set.of()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void circles(Circle row) {
    OwnerGraph graph = new OwnerGraph();
    row.nodes().forEach(graph::put);
    assertThat(graph.blockers(row.of()))
        .extracting(Node::uid)
        .containsAll(row.blockers())
        .hasSize(row.blockers().size());
  }

  static Stream<Case> cases() {
    Node plain = node(false, List.of());
    Node foreground = node(true, List.of(OwnerGraph.FOREGROUND));
    Node orphaning = node(true, List.of(OwnerGraph.ORPHAN));
    List<Node> blocking = List.of(dependent(true));
    List<Node> loose = List.of(dependent(false));
    return Stream.of(
        new Case("no owners: kept", plain, List.of(), List.of(), new GarbageAction.Keep()),
        new Case("a solid owner: kept", plain, List.of(SOLID), List.of(), new GarbageAction.Keep()),
        new Case(
            "GC-1 the only owner is gone: deleted",
            plain,
            List.of(GONE),
            List.of(),
            new GarbageAction.Delete(Propagation.BACKGROUND)),
        new Case(
            "GC-4 one live and one dead owner: the dead reference goes",
            plain,
            List.of(SOLID, GONE),
            List.of(),
            new GarbageAction.DropOwners(Set.of("gone"))),
        new Case(
            "one live and one waiting owner: not deleted with the waiting one",
            plain,
            List.of(SOLID, WAITING),
            List.of(),
            new GarbageAction.DropOwners(Set.of("waiting"))),
        new Case(
            "GC-2 the owner waits: deleted",
            plain,
            List.of(WAITING),
            List.of(),
            new GarbageAction.Delete(Propagation.BACKGROUND)),
        new Case(
            "the owner waits and it has dependents itself: foreground all the way down",
            plain,
            List.of(WAITING, GONE),
            loose,
            new GarbageAction.Delete(Propagation.FOREGROUND)),
        new Case(
            "a chosen policy is kept: orphan",
            node(false, List.of(OwnerGraph.ORPHAN)),
            List.of(GONE),
            List.of(),
            new GarbageAction.Delete(Propagation.ORPHAN)),
        new Case(
            "a chosen policy is kept: foreground",
            node(false, List.of(OwnerGraph.FOREGROUND)),
            List.of(GONE),
            List.of(),
            new GarbageAction.Delete(Propagation.FOREGROUND)),
        new Case(
            "foreground with a blocking dependent: wait for it",
            foreground,
            List.of(),
            blocking,
            new GarbageAction.DeleteDependents(blocking)),
        new Case(
            "foreground with a dependent on its way out: nothing to do but wait",
            foreground,
            List.of(),
            List.of(waiting("d", "x")),
            new GarbageAction.DeleteDependents(List.of())),
        new Case(
            "foreground with dependents that do not block: free to go",
            foreground,
            List.of(),
            loose,
            new GarbageAction.Release()),
        new Case(
            "foreground without dependents: free to go",
            foreground,
            List.of(),
            List.of(),
            new GarbageAction.Release()),
        new Case(
            "orphan: dependents are let free first",
            orphaning,
            List.of(),
            blocking,
            new GarbageAction.Orphan(blocking)),
        new Case(
            "already being deleted: left alone",
            node(true, List.of("example.com/hold")),
            List.of(GONE),
            List.of(),
            new GarbageAction.Keep()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource
  void cases(Case row) {
    OwnerGraph graph = new OwnerGraph();
    graph.put(row.node());
    row.dependents().forEach(graph::put);
    List<Node> blockers = graph.blockers(row.node().uid());
    assertThat(GarbageAction.of(row.node(), row.owners(), row.dependents(), blockers))
        .isEqualTo(row.expected());
  }
}
