/** The backend {@code reference}: every operation through the store, as plainly as can be. */
package dev.jcomms.testkit.reference;
