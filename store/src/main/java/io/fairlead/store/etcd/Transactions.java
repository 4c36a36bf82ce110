package io.fairlead.store.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.ResponseOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.fairlead.store.CommitResult;
import io.fairlead.store.StoreEntry;
import io.fairlead.store.StoreException;
import io.fairlead.store.Write;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Turns commits into etcd's transactions: compare mod revisions, then write, else read.
final class Transactions {
  private final EtcdClient client;
  private final Leases leases;

  Transactions(EtcdClient client, Leases leases) {
    this.client = client;
    this.leases = leases;
  }

  CommitResult commit(List<Write> writes) {
    TxnRequest.Builder transaction = TxnRequest.newBuilder();
    List<Write> compared = new ArrayList<>();
    for (Write write : writes) {
      ByteString key = ByteString.copyFromUtf8(write.key());
      if (write.expectedRevision() != Write.ANY) {
        compared.add(write);
        transaction.addCompare(compare(key, write.expectedRevision()));
        transaction.addFailure(read(key));
      }
      RequestOp operation = operation(write, key);
      if (operation != null) {
        transaction.addSuccess(operation);
      }
    }
    TxnRequest request = transaction.build();
    TxnResponse response = client.write(channel -> client.kv(channel).txn(request));
    return response.getSucceeded()
        ? new CommitResult.Committed(response.getHeader().getRevision())
        : conflict(compared, response.getResponsesList());
  }

  private static Compare compare(ByteString key, long revision) {
    return Compare.newBuilder()
        .setKey(key)
        .setTarget(Compare.CompareTarget.MOD)
        .setResult(Compare.CompareResult.EQUAL)
        .setModRevision(revision)
        .build();
  }

  private static RequestOp read(ByteString key) {
    return RequestOp.newBuilder().setRequestRange(RangeRequest.newBuilder().setKey(key)).build();
  }

  private @Nullable RequestOp operation(Write write, ByteString key) {
    return switch (write) {
      case Write.Put put -> {
        PutRequest.Builder request =
            PutRequest.newBuilder().setKey(key).setValue(ByteString.copyFrom(put.value().bytes()));
        if (put.ttlSeconds() > 0) {
          request.setLease(leases.lease(put.ttlSeconds()));
        }
        yield RequestOp.newBuilder().setRequestPut(request).build();
      }
      case Write.Delete _ ->
          RequestOp.newBuilder()
              .setRequestDeleteRange(DeleteRangeRequest.newBuilder().setKey(key))
              .build();
      case Write.Check _ -> null;
    };
  }

  /// The first expectation that the keys, read in the same transaction, do not meet.
  private static CommitResult conflict(List<Write> compared, List<ResponseOp> reads) {
    for (int i = 0; i < compared.size(); i++) {
      List<KeyValue> found = reads.get(i).getResponseRange().getKvsList();
      StoreEntry current = found.isEmpty() ? null : EtcdWatchStream.entry(found.getFirst());
      long revision = current == null ? Write.ABSENT : current.modRevision();
      if (revision != compared.get(i).expectedRevision()) {
        return new CommitResult.Conflict(compared.get(i).key(), current);
      }
    }
    throw new StoreException("etcd refused a transaction whose expectations all hold", null);
  }

  /// The first key of a range: the prefix itself, or the key after the given one.
  static ByteString rangeStart(String prefix, @Nullable String after) {
    if (after == null) {
      return prefix.isEmpty() ? ByteString.copyFrom(new byte[1]) : ByteString.copyFromUtf8(prefix);
    }
    return ByteString.copyFromUtf8(after).concat(ByteString.copyFrom(new byte[1]));
  }

  /// The first key behind all keys with the prefix.
  static ByteString rangeEnd(String prefix) {
    byte[] end = ByteString.copyFromUtf8(prefix).toByteArray();
    for (int i = end.length - 1; i >= 0; i--) {
      if (end[i] != (byte) 0xff) {
        end[i]++;
        return ByteString.copyFrom(end, 0, i + 1);
      }
    }
    return ByteString.copyFrom(new byte[1]); // etcd's sign for "all that follow"
  }
}
