"""One picture per kind of claim: data with intervals, the prediction, the margin, the verdict in words."""
