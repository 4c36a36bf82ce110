package io.fairlead.api.apply;

import io.fairlead.api.status.ApiException;
import io.fairlead.api.status.Status;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/// Words a conflict between managers: what kubectl prints, and one cause per field.
final class ApplyConflict {
  /// The order in which managers are named.
  static final Comparator<ManagedFieldsEntry.Key> ORDER =
      Comparator.comparing(ManagedFieldsEntry.Key::apiVersion)
          .thenComparing(ManagedFieldsEntry.Key::manager)
          .thenComparing(ManagedFieldsEntry.Key::operation)
          .thenComparing(ManagedFieldsEntry.Key::subresource);

  private ApplyConflict() {}

  static ApiException of(Map<ManagedFieldsEntry.Key, FieldSet> conflicts) {
    List<Status.Cause> causes = new ArrayList<>();
    List<String> lines = new ArrayList<>();
    conflicts.forEach(
        (owner, fields) -> {
          lines.add("conflicts with " + owner.shown() + ":");
          fields.forEach(
              path -> {
                String shown =
                    path.stream().map(PathElement::toString).collect(Collectors.joining());
                lines.add("- " + shown);
                causes.add(
                    new Status.Cause(
                        "FieldManagerConflict", "conflict with " + owner.shown(), shown));
              });
        });
    String message =
        causes.size() == 1
            ? "Apply failed with 1 conflict: "
                + causes.getFirst().message()
                + ": "
                + causes.getFirst().field()
            : "Apply failed with " + causes.size() + " conflicts: " + String.join("\n", lines);
    return new ApiException(
        Status.of(409, "Conflict", message).withDetails(Status.Details.EMPTY.withCauses(causes)));
  }
}
