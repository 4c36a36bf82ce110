package io.fairlead.server.resource;

import io.fairlead.api.codec.DecodedBody;
import io.fairlead.api.codec.Decoder;
import io.fairlead.api.json.Json;
import io.fairlead.api.schema.Schemas;
import io.fairlead.api.schema.StructType;
import io.fairlead.api.status.FieldError;
import io.fairlead.store.Write;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Everything the server knows about one kind. The machinery (list, watch, patch, delete,
/// discovery, OpenAPI) is generic and asks here; adding a kind means one subclass and one line in
/// `resources.Resources`.
///
/// All methods are pure functions of their arguments, except [#admit], [#companions] and [#answer],
/// which may read other objects through the context. Trees named `object` may be changed in place
/// where the text says so; `old` never.
public abstract class Resource {
  public abstract ResourceDescriptor descriptor();

  public List<Subresource> subresources() {
    return List.of();
  }

  /// Whether the kind comes from a CustomResourceDefinition. Such objects keep what no struct
  /// knows: nulls, zeros, members in lists. They have neither protobuf nor strategic merge patches,
  /// and every one in a list says its kind.
  public boolean isCustom() {
    return false;
  }

  /// Whether the kind can be read and written as protobuf.
  public boolean hasProtobuf() {
    return !isCustom();
  }

  /// The struct that describes the objects of this kind.
  public StructType schema() {
    return Schemas.kubernetes().struct(descriptor().schemaName());
  }

  /// Makes a body that was read, or the result of a patch, fit this kind. Changes its tree.
  ///
  /// @throws io.fairlead.api.json.DecodeException when a value has the wrong type
  public DecodedBody conformed(DecodedBody parsed) {
    return Decoder.conformed(parsed, schema());
  }

  /// Removes the nulls that mean the same as a missing member. Changes `object`.
  public void dropNulls(ObjectNode object) {
    Json.dropNulls(object);
  }

  /// What is wrong with storing an object of this kind now, by an ApiException: its definition may
  /// be going away.
  public void checkCreate() {}

  /// Whether a finalizer may be any qualified name, with a domain or without.
  public boolean takesAnyFinalizer() {
    return isCustom();
  }

  /// The schema of a custom resource as OpenAPI publishes it, without `metadata`; null for all
  /// other kinds. A tree of the caller's own.
  public @Nullable ObjectNode openApi(boolean version3) {
    return null;
  }

  /// Fills in what the client left out. Changes `object`. Must be idempotent.
  public void applyDefaults(ObjectNode object) {}

  /// Mutating admission: fills in what depends on other objects, or refuses with an ApiException.
  /// Changes `object`; `old` is null on create.
  public void admit(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {}

  /// Last changes before validation: drop the status, set computed fields. The machinery has
  /// already restored `metadata` (uid, creation, deletion, generation) and, on update, `status`.
  /// Changes `object`; `old` is null on create.
  public void prepare(ObjectNode object, @Nullable ObjectNode old, RequestContext context) {}

  /// What is wrong with the object beyond its metadata, which the machinery checks. `old` is null
  /// on create.
  public List<FieldError> validate(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    return List.of();
  }

  /// Advice that does not stop the write.
  public List<String> warnings(
      ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    return List.of();
  }

  /// Advice about what a strategic merge patch did that its sender may not have wanted. No argument
  /// may be changed.
  public List<String> patchWarnings(ObjectNode current, ObjectNode patch, ObjectNode result) {
    return List.of();
  }

  /// Writes that must happen together with this one or not at all, such as the claim of an address.
  /// Called before validation and again when a companion lost a race; may fill allocated values
  /// into `object`. `object` is null on delete, `old` on create.
  public List<Write> companions(
      @Nullable ObjectNode object, @Nullable ObjectNode old, RequestContext context) {
    return List.of();
  }

  /// The prefixes of keys that [#companions] writes and that are no objects, so that one can be
  /// asked whether it is taken.
  public List<String> claimPrefixes() {
    return List.of();
  }

  /// For resources that store nothing (reviews): the answer to a create. Null for all others.
  public @Nullable ObjectNode answer(ObjectNode body, RequestContext context) {
    return null;
  }

  /// The form in which an object of this kind is stored. Differs only for a kind that shares its
  /// storage with another (events.k8s.io with core events). May return the argument.
  public ObjectNode toStored(ObjectNode object) {
    return object;
  }

  /// The opposite of [#toStored]: what is stored, shown as this kind. May return the argument.
  public ObjectNode fromStored(ObjectNode stored) {
    return stored;
  }

  /// The same for many, in their order.
  public List<ObjectNode> fromStored(List<ObjectNode> stored) {
    return stored.stream().map(this::fromStored).toList();
  }

  /// Whether [#toStored] and [#fromStored] may ask another program, and so take their time.
  public boolean convertsRemotely() {
    return false;
  }

  /// For resources that are another way to an action of a subresource (`bindings` is
  /// `pods/binding`): that path, `RESOURCE/SUBRESOURCE` in the same group; the object is the one
  /// that the body's metadata names. Null for all others.
  public @Nullable String delegatesTo() {
    return null;
  }

  /// Whether writes of other objects depend on objects of this kind. Then a write of one is
  /// acknowledged when it is in force.
  public boolean governsWrites() {
    return false;
  }

  /// A warning that every request for this resource is answered with, or null.
  public @Nullable String deprecation(int emulatedMinor) {
    return null;
  }

  /// Problems of a name, as texts that follow `metadata.name: Invalid value: "x": `. `prefix` when
  /// it is a generateName, which may end in a hyphen.
  public abstract List<String> nameProblems(String name, boolean prefix, int emulatedMinor);

  /// The group that errors of validation name: the kind's own, unless it is another shape of one.
  public String errorGroup() {
    return descriptor().group();
  }

  /// How often the original looks at the metadata of a changed object beyond what it does for every
  /// kind. Its answers list a fault each time.
  public enum MetadataChecks {
    /// Never again.
    NONE,
    /// As for every kind.
    COMMON,
    /// As a change, with the names of finalizers.
    UPDATE,
    /// As a change and as an object.
    UPDATE_AND_OBJECT
  }

  public MetadataChecks metadataChecks() {
    return MetadataChecks.UPDATE_AND_OBJECT;
  }

  /// Whether `metadata.generation` is kept and counts changes.
  public boolean countsGenerations() {
    return false;
  }

  /// Whether a new object has generation 1; if not, its first change gives it that.
  public boolean countsCreation() {
    return true;
  }

  /// Whether a change raises the generation: anything but metadata and status, unless overridden.
  public boolean isGenerationChange(ObjectNode object, ObjectNode old) {
    ObjectNode one = object.deepCopy();
    ObjectNode two = old.deepCopy();
    for (String ignored : List.of("metadata", "status", "kind", "apiVersion")) {
      one.remove(ignored);
      two.remove(ignored);
    }
    return !one.equals(two);
  }

  /// Whether the kind has a status that the main path must not write.
  public boolean splitsStatus() {
    return subresources().stream().anyMatch(sub -> sub.name().equals("status"));
  }

  /// Whether PUT on a missing object creates it.
  public boolean createsOnUpdate() {
    return false;
  }

  /// Whether PUT without resourceVersion is allowed.
  public boolean allowsUnconditionalUpdate() {
    return true;
  }

  /// Whether DELETE answers with the object instead of a Status.
  public boolean answersDeleteWithObject() {
    return false;
  }

  /// Whether the object may be deleted at all, by an ApiException if not.
  public void checkDelete(ObjectNode object, RequestContext context) {}

  /// Seconds between the request to delete and the removal, for kinds that end gracefully; 0
  /// removes at once. `requested` is null when the client named none.
  public long graceSeconds(ObjectNode object, @Nullable Long requested) {
    return 0;
  }

  /// Whether the kind is asked to end before it goes (pods). Then an object that goes at once is
  /// also answered as a deleted one: with a deletionTimestamp, a period of 0 and the next
  /// generation.
  public boolean endsGracefully() {
    return false;
  }

  /// Called when an object with finalizers or a grace period is marked as deleted. Changes
  /// `object`.
  public void markDeleted(ObjectNode object) {}

  /// Whether a marked object may go now: no finalizers of any sort are left.
  public boolean mayBeRemoved(ObjectNode object) {
    JsonNode finalizers = object.path("metadata").path("finalizers");
    return finalizers.isMissingNode() || finalizers.isEmpty();
  }

  /// Seconds after which a stored object goes by itself; 0 for never.
  public long ttlSeconds(ObjectNode object) {
    return 0;
  }

  /// Fields that a fieldSelector may name beside metadata.name and metadata.namespace, with their
  /// values in this object. Always the same keys.
  public Map<String, String> selectableFields(ObjectNode object) {
    return Map.of();
  }

  /// The table's columns; the default is Name and Created At.
  public List<Column> columns() {
    return List.of(
        Column.name("Name must be unique within a namespace."),
        new Column("Created At", "date", "", "When this object was made.", 0));
  }

  /// One cell per column, for `-o wide` too.
  public List<JsonNode> cells(ObjectNode object, Instant now) {
    return List.of(
        object.path("metadata").path("name"), object.path("metadata").path("creationTimestamp"));
  }

  /// The rows of one answer, for kinds whose cells tell about other objects, too; [#cells] unless
  /// overridden.
  public TableRows rows(ClusterReader reader) {
    return this::cells;
  }

  /// Conditions of a table row; only pods have one.
  public List<ObjectNode> rowConditions(ObjectNode object) {
    return List.of();
  }
}
