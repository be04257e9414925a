/** What a store must do, one file an area. */
package dev.jcomms.testkit.store;
