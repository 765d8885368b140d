"""The control: an implementation made of the same parts, without a fault.  The audit must pass it."""

from dpspin_audits.zoo.steps import Steps

subject = Steps
