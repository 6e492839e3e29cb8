"""Where Spark finds the data source `etl` by itself: it looks into packages whose names begin with `pyspark_`."""

from etwkit.spark import EtlDataSource as DefaultSource

__all__ = ["DefaultSource"]
