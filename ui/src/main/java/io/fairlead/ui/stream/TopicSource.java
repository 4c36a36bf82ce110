package io.fairlead.ui.stream;

import java.time.Duration;
import tools.jackson.databind.node.ObjectNode;

/// Where the value of a topic comes from.
public interface TopicSource {
  /// The value now. A new tree each time: what was returned before is compared with it. Arrays are
  /// objects by key with an `order` beside them, so that nothing moves by accident.
  ObjectNode value();

  /// How long after one look the next one is due, for what is asked of others; zero for what the
  /// model knows, which is looked at whenever the model changed.
  default Duration every() {
    return Duration.ZERO;
  }

  /// One that follows the model.
  static TopicSource ofModel(java.util.function.Supplier<ObjectNode> value) {
    return value::get;
  }

  /// One that asks others at that pace, while a stream holds it.
  static TopicSource polled(Duration every, java.util.function.Supplier<ObjectNode> value) {
    return new TopicSource() {
      @Override
      public ObjectNode value() {
        return value.get();
      }

      @Override
      public Duration every() {
        return every;
      }
    };
  }
}
