package io.fairlead.client.informer;

import io.fairlead.client.RawObject;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/// Hands on to several what one follower of the server hears, to each in the same order.
///
/// @param sinks fixed once the follower runs
record FanoutStateSink(List<StateSink> sinks) implements StateSink {
  @Override
  public void begin() {
    sinks.forEach(StateSink::begin);
  }

  @Override
  public void item(RawObject object) {
    // No lambda for each of very many objects.
    for (StateSink sink : sinks) {
      sink.item(object);
    }
  }

  @Override
  public void without(ObjectNode object) {
    sinks.forEach(each -> each.without(object));
  }

  @Override
  public void complete(String version) {
    sinks.forEach(each -> each.complete(version));
  }

  @Override
  public void change(RawObject object, String version) {
    sinks.forEach(each -> each.change(object, version));
  }

  @Override
  public void remove(RawObject object, String version) {
    sinks.forEach(each -> each.remove(object, version));
  }

  @Override
  public void advance(String version) {
    sinks.forEach(each -> each.advance(version));
  }
}
