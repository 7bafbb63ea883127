"""A git repository, read from its object store: its layout, trees and blobs, and whether the work tree differs."""
