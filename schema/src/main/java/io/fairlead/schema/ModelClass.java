package io.fairlead.schema;

import com.google.gson.annotations.SerializedName;
import io.swagger.annotations.ApiModel;
import io.swagger.annotations.ApiModelProperty;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What a generated model class says about JSON: names, texts, what is required.
final class ModelClass {
  private final String description;
  private final boolean partial;
  private final Map<String, Property> properties = new LinkedHashMap<>();

  ModelClass(Class<?> type) {
    partial = false;
    ApiModel about = type.getAnnotation(ApiModel.class);
    description = about == null ? "" : about.description();
    for (Field field : type.getDeclaredFields()) {
      SerializedName name = field.getAnnotation(SerializedName.class);
      if (name != null) {
        Property property = property(type, field, name.value());
        properties.put(SchemaJoiner.key(property.name()), property);
      }
    }
    if (properties.isEmpty()) {
      throw new IllegalStateException(type + " is no model class");
    }
  }

  private ModelClass(Map<String, Property> part) {
    description = "";
    partial = true;
    properties.putAll(part);
  }

  /// One member of the JSON object.
  record Property(String name, String description, boolean required, Shape type) {
    /// Whether it is one of the two members that protobuf keeps outside the message.
    boolean isTypeMeta() {
      return name.equals("kind") || name.equals("apiVersion");
    }
  }

  /// A Java type with its last type argument, the element of a list or the value of a map.
  record Shape(Type type) {
    Class<?> raw() {
      return type instanceof ParameterizedType generic
          ? (Class<?>) generic.getRawType()
          : (Class<?>) type;
    }

    Shape argument() {
      if (type instanceof ParameterizedType generic) {
        Type[] arguments = generic.getActualTypeArguments();
        return new Shape(arguments[arguments.length - 1]);
      }
      // byte[] and Object have no argument; no reader needs what is inside.
      return new Shape(Object.class);
    }
  }

  String description() {
    return description;
  }

  Collection<Property> properties() {
    return properties.values();
  }

  @Nullable Property property(String key) {
    return properties.get(key);
  }

  /// Whether this is only a part cut out of another model; a true one is better.
  boolean isPartial() {
    return partial;
  }

  /// The part of this model that lies in a flattened message.
  ModelClass restrictedTo(Set<String> keys) {
    Map<String, Property> part = new LinkedHashMap<>(properties);
    part.keySet().retainAll(keys);
    return new ModelClass(part);
  }

  private static Property property(Class<?> type, Field field, String name) {
    ApiModelProperty text = getter(type, field).getAnnotation(ApiModelProperty.class);
    return new Property(
        name,
        text == null ? "" : text.value(),
        text != null && text.required(),
        new Shape(field.getGenericType()));
  }

  private static Method getter(Class<?> type, Field field) {
    String wanted = "get" + field.getName().replaceFirst("^_", "");
    for (Method method : type.getDeclaredMethods()) {
      if (method.getParameterCount() == 0 && method.getName().equalsIgnoreCase(wanted)) {
        return method;
      }
    }
    throw new IllegalStateException(type + " has no getter for " + field.getName());
  }
}
