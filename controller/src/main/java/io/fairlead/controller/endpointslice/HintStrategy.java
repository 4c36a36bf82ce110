package io.fairlead.controller.endpointslice;

import io.fairlead.controller.serving.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// How a Service's endpoints get their hints. Works on a finished packing: drafts get theirs,
/// untouched slices become drafts when theirs are wrong.
sealed interface HintStrategy {
  /// No hints.
  record None() implements HintStrategy {}

  /// Every ready endpoint for its own zone.
  ///
  /// @param nodes and for its own node
  record Own(boolean nodes) implements HintStrategy {}

  /// Endpoints for zones in proportion to what the zones have.
  record Proportional() implements HintStrategy {}

  static HintStrategy of(Service service) {
    if (service.proportionalHints()) {
      return new Proportional();
    }
    return switch (service.trafficDistribution()) {
      case "PreferClose", "PreferSameZone" -> new Own(false);
      case "PreferSameNode" -> new Own(true);
      default -> new None();
    };
  }

  /// Takes all hints away.
  static void remove(Packing packing) {
    set(packing, _ -> EndpointHints.NONE, Slice::hasHints);
  }

  /// Gives each ready endpoint its own zone, and its own node if asked. An endpoint that is not
  /// ready has none, but is not worth a write.
  static void giveOwn(Packing packing, boolean nodes) {
    Function<SliceEndpoint, EndpointHints> own =
        endpoint -> {
          if (!endpoint.isReady()) {
            return EndpointHints.NONE;
          }
          return new EndpointHints(
              endpoint.zone().isEmpty() ? List.of() : List.of(endpoint.zone()),
              nodes && !endpoint.nodeName().isEmpty() ? List.of(endpoint.nodeName()) : List.of());
        };
    set(
        packing,
        own,
        slice ->
            slice.endpoints().stream()
                .anyMatch(
                    endpoint ->
                        endpoint.isReady() && !endpoint.hints().equals(own.apply(endpoint))));
  }

  private static void set(
      Packing packing,
      Function<SliceEndpoint, EndpointHints> hints,
      java.util.function.Predicate<Slice> wrong) {
    for (Slice slice : List.copyOf(packing.unchanged)) {
      if (wrong.test(slice)) {
        touch(packing, slice);
      }
    }
    for (SliceDraft draft : drafts(packing)) {
      draft.endpoints().replaceAll(endpoint -> endpoint.with(hints.apply(endpoint)));
    }
  }

  /// Makes an untouched slice one that is written.
  static void touch(Packing packing, Slice slice) {
    packing.unchanged.remove(slice);
    packing.updates.add(SliceDraft.changing(slice, slice.endpoints()));
  }

  /// All slices that are written, those first that are made.
  static List<SliceDraft> drafts(Packing packing) {
    List<SliceDraft> drafts = new ArrayList<>(packing.creates);
    drafts.addAll(packing.updates);
    return drafts;
  }
}
