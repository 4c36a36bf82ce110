package io.fairlead.controller.endpointslice;

import io.fairlead.controller.serving.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// How a Service's endpoints get their hints. Works on a finished packing: drafts get theirs,
/// untouched slices become drafts when theirs are wrong.
sealed interface Hinting {
  /// No hints.
  record None() implements Hinting {}

  /// Every ready endpoint for its own zone.
  ///
  /// @param nodes and for its own node
  record Own(boolean nodes) implements Hinting {}

  /// Endpoints for zones in proportion to what the zones have.
  record Proportional() implements Hinting {}

  static Hinting of(Service service) {
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
    set(packing, _ -> Hints.NONE, Slice::hasHints);
  }

  /// Gives each ready endpoint its own zone, and its own node if asked. An endpoint that is not
  /// ready has none, but is not worth a write.
  static void giveOwn(Packing packing, boolean nodes) {
    Function<Endpoint, Hints> own =
        endpoint -> {
          if (!endpoint.isReady()) {
            return Hints.NONE;
          }
          return new Hints(
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
      Packing packing, Function<Endpoint, Hints> hints, java.util.function.Predicate<Slice> wrong) {
    for (Slice slice : List.copyOf(packing.unchanged)) {
      if (wrong.test(slice)) {
        touch(packing, slice);
      }
    }
    for (Draft draft : drafts(packing)) {
      draft.endpoints().replaceAll(endpoint -> endpoint.with(hints.apply(endpoint)));
    }
  }

  /// Makes an untouched slice one that is written.
  static void touch(Packing packing, Slice slice) {
    packing.unchanged.remove(slice);
    packing.updates.add(Draft.changing(slice, slice.endpoints()));
  }

  /// All slices that are written, those first that are made.
  static List<Draft> drafts(Packing packing) {
    List<Draft> drafts = new ArrayList<>(packing.creates);
    drafts.addAll(packing.updates);
    return drafts;
  }
}
