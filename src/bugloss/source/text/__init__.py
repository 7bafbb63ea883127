"""Files, syntax trees and names: what a program says before any value is followed."""
