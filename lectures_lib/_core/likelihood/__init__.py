"""Maximum likelihood for two and many classes: what logistic and softmax regression share."""
