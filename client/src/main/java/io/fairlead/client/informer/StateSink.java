package io.fairlead.client.informer;

import io.fairlead.client.RawObject;
import tools.jackson.databind.node.ObjectNode;

/// What is kept equal to the server. Called on one thread, in order.
///
/// The whole state comes piece by piece, so that no component has to hold it twice. When it breaks
/// off before it is complete, it begins again.
public interface StateSink {
  /// The whole state follows: what is not among its items when it is complete is gone.
  void begin();

  /// One object of the state.
  void item(RawObject object);

  /// An object that went while the state was being sent.
  void without(ObjectNode object);

  /// That was the whole state, at this version.
  void complete(String version);

  void change(RawObject object, String version);

  void remove(RawObject object, String version);

  /// Nothing changed up to this version.
  void advance(String version);
}
