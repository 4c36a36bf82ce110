package io.fairlead.controller.scheduler;

import io.fairlead.controller.placement.Taint;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/// Which of the nodes that are possible is best. Every aspect gives 0 to 100 points, times its
/// weight; of equal nodes the one with fewer pods is taken, then the first by name.
final class Scores {
  private static final double FULL = 100;
  private static final long SMALL_IMAGE = 23L << 20;
  private static final long LARGE_IMAGE = 1000L << 20;

  private final PodInfo pod;
  private final List<NodeInfo> places;
  private final Map<String, Double> totals = new HashMap<>();

  /// @param possible of all places those without objection; not empty
  Scores(PodInfo pod, List<NodeInfo> possible, List<NodeInfo> places) {
    this.pod = pod;
    this.places = places;
    PodTopologySpread spread =
        new PodTopologySpread(
            pod, pod.spread().stream().filter(one -> !one.hard()).toList(), places);
    Map<String, Long> attraction = InterPodAffinity.attraction(pod, places);
    addLessIsBetter(possible, 3, this::unwelcome);
    addMoreIsBetter(possible, 2, this::preferred);
    addLessIsBetter(possible, 2, spread::crowding);
    addBetween(possible, 2, place -> attraction.getOrDefault(place.name(), 0L));
    add(possible, 1, this::leastAllocated);
    add(possible, 1, this::balanced);
    add(possible, 1, this::imagesThere);
  }

  NodeInfo best(List<NodeInfo> possible) {
    return possible.stream()
        .min(
            Comparator.<NodeInfo>comparingDouble(place -> -total(place))
                .thenComparingInt(place -> place.pods().size())
                .thenComparing(NodeInfo::name))
        .orElseThrow();
  }

  double total(NodeInfo place) {
    return totals.getOrDefault(place.name(), 0.0);
  }

  private void add(List<NodeInfo> possible, double weight, ToDoubleFunction<NodeInfo> points) {
    possible.forEach(
        place -> totals.merge(place.name(), weight * points.applyAsDouble(place), Double::sum));
  }

  private void addMoreIsBetter(
      List<NodeInfo> possible, double weight, ToDoubleFunction<NodeInfo> amount) {
    double most = possible.stream().mapToDouble(amount).max().orElse(0);
    add(possible, weight, place -> most == 0 ? 0 : FULL * amount.applyAsDouble(place) / most);
  }

  private void addLessIsBetter(
      List<NodeInfo> possible, double weight, ToDoubleFunction<NodeInfo> amount) {
    double most = possible.stream().mapToDouble(amount).max().orElse(0);
    double least = possible.stream().mapToDouble(amount).min().orElse(0);
    add(
        possible,
        weight,
        place -> most == 0 ? FULL : FULL * (most + least - amount.applyAsDouble(place)) / most);
  }

  private void addBetween(
      List<NodeInfo> possible, double weight, ToDoubleFunction<NodeInfo> amount) {
    double most = possible.stream().mapToDouble(amount).max().orElse(0);
    double least = possible.stream().mapToDouble(amount).min().orElse(0);
    if (most > least) {
      add(possible, weight, place -> FULL * (amount.applyAsDouble(place) - least) / (most - least));
    }
  }

  private double unwelcome(NodeInfo place) {
    return place.node().taints().stream()
        .filter(taint -> taint.effect().equals(Taint.PREFER_NO_SCHEDULE))
        .filter(taint -> !taint.toleratedBy(pod.tolerations()))
        .count();
  }

  private double preferred(NodeInfo place) {
    return pod.preferredNodes().stream()
        .filter(one -> one.wish().matches(place.node()))
        .mapToInt(PodInfo.Weighted::weight)
        .sum();
  }

  private double leastAllocated(NodeInfo place) {
    return FULL * (1 - (share(place, "cpu") + share(place, "memory")) / 2);
  }

  private double balanced(NodeInfo place) {
    return FULL * (1 - Math.abs(share(place, "cpu") - share(place, "memory")) / 2);
  }

  /// How much of a resource would be taken with the pod there, 0 to 1.
  private double share(NodeInfo place, String resource) {
    long has = place.node().allocatable().getOrDefault(resource, 0L);
    long taken =
        place.usedForScore().getOrDefault(resource, 0L)
            + pod.scoreRequests().getOrDefault(resource, 0L);
    return has == 0 ? 1 : Math.min(1, (double) taken / has);
  }

  /// Large images that are there already are worth something, the more so the more nodes have them,
  /// so that not one node gets everything.
  private double imagesThere(NodeInfo place) {
    double bytes = 0;
    for (String image : pod.images()) {
      Long size = place.node().images().get(image);
      if (size != null) {
        long nodes =
            places.stream().filter(other -> other.node().images().containsKey(image)).count();
        bytes += (double) size * nodes / places.size();
      }
    }
    double most = (double) LARGE_IMAGE * Math.max(1, pod.images().size());
    double within = Math.clamp(bytes, SMALL_IMAGE, most);
    return FULL * (within - SMALL_IMAGE) / (most - SMALL_IMAGE);
  }
}
