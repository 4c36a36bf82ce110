package io.fairlead.server.resources.kind;

import io.fairlead.server.resource.ResourceDescriptor;
import io.fairlead.server.resource.Subresource;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// A kind that is kept as it comes: create, read, change, watch, and nothing else to know.
public class StoredResource extends KindResource {
  /// What such a kind may have beside plain storage.
  public enum Trait {
    /// It has `…/status`.
    STATUS,
    /// `metadata.generation` counts changes.
    GENERATIONS,
    /// PUT on a missing object makes it.
    CREATES_ON_UPDATE,
    /// PUT must say which resourceVersion it changes.
    NEEDS_RESOURCE_VERSION,
    /// DELETE answers with the object.
    DELETE_SHOWS_OBJECT,
    /// A change is answered with its faults in the metadata once, beyond those of every kind.
    METADATA_AS_UPDATE,
    /// The same without a look at the names of finalizers.
    METADATA_AS_COMMON,
    /// A change is answered only with those faults in the metadata that every kind reports.
    METADATA_UNCHECKED
  }

  private final Set<Trait> traits;

  public StoredResource(ResourceDescriptor descriptor, NameValidator nameRule, Trait... traits) {
    super(descriptor, nameRule);
    this.traits = EnumSet.noneOf(Trait.class);
    this.traits.addAll(List.of(traits));
  }

  @Override
  public List<Subresource> subresources() {
    return traits.contains(Trait.STATUS) ? List.of(StatusView.of(this)) : List.of();
  }

  @Override
  public MetadataChecks metadataChecks() {
    if (traits.contains(Trait.METADATA_UNCHECKED)) {
      return MetadataChecks.NONE;
    }
    if (traits.contains(Trait.METADATA_AS_COMMON)) {
      return MetadataChecks.COMMON;
    }
    return traits.contains(Trait.METADATA_AS_UPDATE)
        ? MetadataChecks.UPDATE
        : MetadataChecks.UPDATE_AND_OBJECT;
  }

  @Override
  public boolean countsGenerations() {
    return traits.contains(Trait.GENERATIONS);
  }

  @Override
  public boolean createsOnUpdate() {
    return traits.contains(Trait.CREATES_ON_UPDATE);
  }

  @Override
  public boolean allowsUnconditionalUpdate() {
    return !traits.contains(Trait.NEEDS_RESOURCE_VERSION);
  }

  @Override
  public boolean answersDeleteWithObject() {
    return traits.contains(Trait.DELETE_SHOWS_OBJECT);
  }
}
