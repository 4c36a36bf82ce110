package io.fairlead.server.cache;

import io.fairlead.api.json.Json;
import io.fairlead.api.selector.FieldSelector;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/// One object as the cache holds it: the bytes that the store holds too, and what selectors ask
/// for. Immutable; the bytes are shared by everyone and must not be changed.
///
/// How it works: the stored bytes lack the resourceVersion. It is put between the two halves of
/// them when the object is written to a client, so the cache needs no copy of its own. What
/// selectors ask for is read from the bytes when the first of them asks, and kept. A custom
/// resource is shown by the schema of today, which may differ from what was stored, so its bytes
/// are made when it is read first: on the reader's thread, not on the one that feeds all caches.
public final class CachedObject {
  private static final int METADATA_MEMBER = "\"metadata\":{".length();

  private final CachedObjectReader reader;
  private final String key;
  private final String namespace;
  private final int nameAt;
  private final long revision;
  private final byte[] stored;
  // Made by the thread that needs it first, like the marks.
  private volatile byte @Nullable [] shown;
  // Made by the thread that needs it first; two threads may both make it, with equal content.
  private volatile @Nullable SelectorAttributes marks;

  /// What selectors ask for.
  ///
  /// @param fields `metadata.name` and `metadata.namespace` included
  record SelectorAttributes(Map<String, String> labels, Map<String, String> fields) {}

  /// @param nameAt where in the key the name begins
  /// @param stored begins with the head of the reader's kind, unless the reader reads lazily
  CachedObject(
      CachedObjectReader reader,
      String key,
      String namespace,
      int nameAt,
      long revision,
      byte[] stored) {
    this(reader, key, namespace, nameAt, revision, stored, reader.isLazy() ? null : stored);
  }

  private CachedObject(
      CachedObjectReader reader,
      String key,
      String namespace,
      int nameAt,
      long revision,
      byte[] stored,
      byte @Nullable [] shown) {
    this.reader = reader;
    this.key = key;
    this.namespace = namespace;
    this.nameAt = nameAt;
    this.revision = revision;
    this.stored = stored;
    this.shown = shown;
  }

  /// The same content as it stood when it was deleted or left a selection at that revision.
  CachedObject at(long laterRevision) {
    return new CachedObject(reader, key, namespace, nameAt, laterRevision, stored, shown);
  }

  String key() {
    return key;
  }

  /// Empty for cluster-scoped objects.
  public String namespace() {
    return namespace;
  }

  public String name() {
    return key.substring(nameAt);
  }

  /// The object's resourceVersion.
  public long revision() {
    return revision;
  }

  public Map<String, String> labels() {
    return marks().labels();
  }

  /// What a field selector can ask for, `metadata.name` and `metadata.namespace` included. Of what
  /// another program converts these are the fields of what is stored.
  public Map<String, String> fields() {
    return marks().fields();
  }

  /// What that selector asks for, of the object as clients see it. May ask the program that
  /// converts it, and throw an ApiException when that fails.
  Map<String, String> fields(FieldSelector selector) {
    return reader.isRemote() && isContent(selector)
        ? reader.marks(Json.parseObject(shown()), namespace, name()).fields()
        : fields();
  }

  /// Whether a selector asks for more than name and namespace.
  static boolean isContent(FieldSelector selector) {
    return selector.requirements().stream().anyMatch(each -> !each.field().startsWith("metadata."));
  }

  private SelectorAttributes marks() {
    SelectorAttributes made = marks;
    if (made == null) {
      byte[] read = reader.isRemote() ? stored : shown();
      made = reader.marks(Json.parseObject(read), namespace, name());
      marks = made;
    }
    return made;
  }

  /// The bytes that clients see, but for the resourceVersion.
  private byte[] shown() {
    byte[] made = shown;
    if (made == null) {
      made = reader.shown(stored);
      shown = made;
    }
    return made;
  }

  /// Makes what clients see of them where it is not made yet, all at once.
  ///
  /// @param objects of one kind
  /// @throws io.fairlead.api.status.ApiException when it cannot be made
  public static void prepare(List<CachedObject> objects) {
    List<CachedObject> missing = objects.stream().filter(each -> each.shown == null).toList();
    if (missing.isEmpty()) {
      return;
    }
    List<byte[]> made =
        missing.getFirst().reader.shown(missing.stream().map(each -> each.stored).toList());
    for (int i = 0; i < made.size(); i++) {
      missing.get(i).shown = made.get(i);
    }
  }

  /// How many bytes it takes in the store.
  public int size() {
    return stored.length;
  }

  /// The whole object with kind, apiVersion and resourceVersion. A copy of one's own.
  public byte[] json() {
    return json(0, 0);
  }

  /// The same with space before and behind it.
  public byte[] json(int before, int behind) {
    return ObjectCodec.withRevision(shown(), reader.headLength(), revision, before, behind);
  }

  /// Writes the object as the items of a list are: without kind and apiVersion, unless it is a
  /// custom resource.
  public void writeItem(OutputStream out) throws IOException {
    if (reader.isLazy()) {
      out.write(json());
      return;
    }
    int headLength = reader.headLength();
    int from = headLength - METADATA_MEMBER;
    out.write('{');
    out.write(stored, from, METADATA_MEMBER);
    out.write(ObjectCodec.revisionMember(stored, headLength, revision));
    out.write(stored, headLength, stored.length - headLength);
  }

  /// A tree of one's own, with resourceVersion.
  public ObjectNode tree() {
    return Json.parseObject(json());
  }

  @Override
  public String toString() {
    return key + "@" + revision;
  }
}
