"""Findings: what is wrong, where exactly, and what to do next."""

from toolkit.diagnostics.finding import Diagnostic, Fix, Label, Severity, correction, suggestion

__all__ = ["Diagnostic", "Fix", "Label", "Severity", "correction", "suggestion"]
