package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.Attributes;
import io.fairlead.kernel.netlink.MalformedMessageException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Collects the attributes of a listed set.
final class SetFields {
  private String name = "";
  private String comment = "";
  private int flags;
  private int keyType;
  private int dataType;
  private int size;
  private long timeout;
  private boolean counter;

  void read(Attributes attributes) {
    switch (attributes.type()) {
      case Numbers.SET_NAME -> name = attributes.string();
      case Numbers.SET_FLAGS -> flags = attributes.be32();
      case Numbers.SET_KEY_TYPE -> keyType = attributes.be32();
      case Numbers.SET_DATA_TYPE -> dataType = attributes.be32();
      case Numbers.SET_TIMEOUT -> timeout = attributes.be64();
      case Numbers.SET_USERDATA ->
          comment = Userdata.comment(Userdata.SET_COMMENT, attributes.bytes());
      case Numbers.SET_EXPRESSION ->
          counter = ExpressionReader.read(attributes.nested()) instanceof Expression.Counter;
      case Numbers.SET_DESCRIPTION -> {
        Attributes description = attributes.nested();
        while (description.next()) {
          if (description.type() == Numbers.DESCRIPTION_SIZE) {
            size = description.be32();
          }
        }
      }
      default -> {}
    }
  }

  /// Null when its types are none of {@link DataType}.
  @Nullable SetSpecification specification() {
    boolean map = (flags & Numbers.SET_MAP) != 0;
    boolean verdicts = map && dataType == Numbers.VERDICT_TYPE;
    try {
      return new SetSpecification(
          name,
          SetSpecification.types(keyType),
          map && !verdicts ? SetSpecification.types(dataType) : List.of(),
          verdicts,
          (flags & Numbers.SET_INTERVAL) != 0,
          (flags & Numbers.SET_EVALUATE) != 0,
          timeout,
          counter,
          size,
          comment);
    } catch (MalformedMessageException e) {
      return null;
    }
  }
}
