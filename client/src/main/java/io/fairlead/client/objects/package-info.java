/// Typed, lean readers for the objects that several components read and of which there are many:
/// Services, EndpointSlices, Pods and Nodes. They read an object from its tokens and build no tree;
/// a [FieldMask] says what a component needs, and nothing is made of the rest. Names, labels and
/// other texts that many objects repeat are interned.
///
/// The records hold what the API says, as text where the API has text: what it means is for the
/// component that reads it.
@org.jspecify.annotations.NullMarked
package io.fairlead.client.objects;
