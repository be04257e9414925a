/** What authors of devices and operator libraries implement. */
package dev.jcomms.tensor.spi;
