package io.fairlead.kernel.nftables;

import io.fairlead.kernel.netlink.MalformedMessageException;
import io.fairlead.kernel.netlink.NetlinkAttributeReader;
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

  void read(NetlinkAttributeReader attributes) {
    switch (attributes.type()) {
      case NftConstants.SET_NAME -> name = attributes.string();
      case NftConstants.SET_FLAGS -> flags = attributes.be32();
      case NftConstants.SET_KEY_TYPE -> keyType = attributes.be32();
      case NftConstants.SET_DATA_TYPE -> dataType = attributes.be32();
      case NftConstants.SET_TIMEOUT -> timeout = attributes.be64();
      case NftConstants.SET_USERDATA ->
          comment = Userdata.comment(Userdata.SET_COMMENT, attributes.bytes());
      case NftConstants.SET_EXPRESSION ->
          counter = ExpressionReader.read(attributes.nested()) instanceof Expression.Counter;
      case NftConstants.SET_DESCRIPTION -> {
        NetlinkAttributeReader description = attributes.nested();
        while (description.next()) {
          if (description.type() == NftConstants.DESCRIPTION_SIZE) {
            size = description.be32();
          }
        }
      }
      default -> {}
    }
  }

  /// Null when its types are none of {@link DataType}.
  @Nullable SetSpecification specification() {
    boolean map = (flags & NftConstants.SET_MAP) != 0;
    boolean verdicts = map && dataType == NftConstants.VERDICT_TYPE;
    try {
      return new SetSpecification(
          name,
          SetSpecification.types(keyType),
          map && !verdicts ? SetSpecification.types(dataType) : List.of(),
          verdicts,
          (flags & NftConstants.SET_INTERVAL) != 0,
          (flags & NftConstants.SET_EVALUATE) != 0,
          timeout,
          counter,
          size,
          comment);
    } catch (MalformedMessageException e) {
      return null;
    }
  }
}
